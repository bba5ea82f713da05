//! Names that a script need not declare: those of JavaScript, of React and of the browser.

/// Names of what only a browser knows.
pub fn is_of_browser(name: &str) -> bool {
    matches!(
        name,
        "window"
            | "document"
            | "navigator"
            | "location"
            | "history"
            | "localStorage"
            | "sessionStorage"
            | "screen"
            | "innerWidth"
            | "innerHeight"
    )
}

/// What of React needs no import, beside its hooks.
pub const REACT: [&str; 15] = [
    "createElement",
    "cloneElement",
    "createContext",
    "createRef",
    "forwardRef",
    "lazy",
    "memo",
    "isValidElement",
    "startTransition",
    "Children",
    "Component",
    "PureComponent",
    "StrictMode",
    "Suspense",
    "Fragment",
];

/// Names that JavaScript or our own prelude defines.
pub(super) fn is_language(name: &str) -> bool {
    name.starts_with('$')
        || name.starts_with("use") && name.as_bytes().get(3).is_some_and(u8::is_ascii_uppercase)
        || matches!(
            name,
            "React"
                | "undefined"
                | "NaN"
                | "Infinity"
                | "globalThis"
                | "arguments"
                | "Object"
                | "Array"
                | "String"
                | "Number"
                | "Boolean"
                | "Symbol"
                | "Math"
                | "JSON"
                | "Date"
                | "RegExp"
                | "Map"
                | "Set"
                | "WeakMap"
                | "WeakSet"
                | "Promise"
                | "Proxy"
                | "Reflect"
                | "Function"
                | "Error"
                | "TypeError"
                | "RangeError"
                | "SyntaxError"
                | "ReferenceError"
                | "EvalError"
                | "URIError"
                | "AggregateError"
                | "BigInt"
                | "Intl"
                | "parseInt"
                | "parseFloat"
                | "isNaN"
                | "isFinite"
                | "encodeURIComponent"
                | "decodeURIComponent"
                | "encodeURI"
                | "decodeURI"
                | "escape"
                | "unescape"
                | "eval"
                | "console"
                | "window"
                | "document"
                | "navigator"
                | "localStorage"
                | "sessionStorage"
                | "fetch"
                | "setTimeout"
                | "clearTimeout"
                | "setInterval"
                | "clearInterval"
                | "requestAnimationFrame"
                | "URL"
                | "URLSearchParams"
                | "location"
                | "history"
                | "crypto"
                | "structuredClone"
                | "queueMicrotask"
                | "btoa"
                | "atob"
                | "performance"
                | "setImmediate"
                | "clearImmediate"
                | "cancelAnimationFrame"
                | "requestIdleCallback"
                | "cancelIdleCallback"
                | "matchMedia"
                | "getComputedStyle"
                | "screen"
                | "innerWidth"
                | "innerHeight"
        )
        || REACT.contains(&name)
}
