//! Why an object store did not do what it was asked for, in words of ours: its own may hold addresses with signatures.
//! They say what an operator has to change.

use std::error::Error as _;

use object_store::client::{HttpError, HttpErrorKind};

use super::ObjectError;

/// Longest code that a store gives for an error, and that is told.
const CODE_BYTES: usize = 60;

/// A failure of the store.
pub(super) fn bucket_error(context: &str, error: &object_store::Error) -> ObjectError {
    ObjectError::Failed { context: context.to_owned(), cause: cause(error) }
}

fn cause(error: &object_store::Error) -> String {
    let (mut said, mut kind, mut source) = (error.to_string(), None, error.source());
    while let Some(error) = source {
        kind = kind.or_else(|| error.downcast_ref::<HttpError>().map(HttpError::kind));
        said.push_str(&format!(": {error}"));
        source = error.source();
    }
    // what has no credentials asks for some where the cloud gives them to its machines
    if said.contains("169.254.169.254") {
        return "there are no credentials: neither `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` are set, nor has this \
                machine a role"
            .to_owned();
    }
    let code = said.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>")).map(|(code, _)| code);
    let code = code.filter(|code| code.len() <= CODE_BYTES && code.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let meaning = match code.unwrap_or_default() {
        "NoSuchBucket" => "there is no such bucket",
        "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "InvalidToken" | "ExpiredToken" => {
            "the credentials are not accepted"
        }
        "RequestTimeTooSkewed" => "the clock of this machine is wrong",
        "PermanentRedirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException" => OTHER_REGION,
        _ if said.contains("redirect without LOCATION") => OTHER_REGION,
        _ => meaning_without_code(error, kind),
    };
    let status = said.split_once("status code: ").map_or("", |(_, rest)| rest);
    let status: String = status.chars().take_while(char::is_ascii_digit).collect();
    let answer = [status.as_str(), code.unwrap_or_default()].join(" ");
    match answer.trim() {
        "" => meaning.to_owned(),
        answer => format!("{meaning} ({answer})"),
    }
}

const OTHER_REGION: &str = "the bucket is in another region than `AWS_REGION` says";

fn meaning_without_code(error: &object_store::Error, kind: Option<HttpErrorKind>) -> &'static str {
    match (error, kind) {
        (object_store::Error::NotFound { .. }, _) => "it is not there",
        (object_store::Error::PermissionDenied { .. }, _) => "permission denied",
        (object_store::Error::Unauthenticated { .. }, _) => "the credentials are not accepted",
        (object_store::Error::Precondition { .. } | object_store::Error::AlreadyExists { .. }, _) => {
            "it was changed meanwhile"
        }
        (_, Some(HttpErrorKind::Connect)) => "there is no connection to its server",
        (_, Some(HttpErrorKind::Timeout)) => "its server does not answer in time",
        (_, Some(HttpErrorKind::Request | HttpErrorKind::Interrupted)) => "the connection ended without an answer",
        _ => "no usable answer",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &str, expect: &str) {
        let error = object_store::Error::Generic { store: "S3", source: said.into() };
        assert_eq!(cause(&error), expect);
    }

    #[test]
    fn an_operator_learns_what_to_change_and_no_secret() {
        let answer = |status: &str, code: &str| {
            format!(
                "Error performing GET https://s3.example/b?X-Amz-Signature=s3cret in 1ms - Server returned non-2xx \
                 status code: {status}: <Error><Code>{code}</Code><Message>https://a/?s3cret</Message></Error>"
            )
        };
        check(&answer("404 Not Found", "NoSuchBucket"), "there is no such bucket (404 NoSuchBucket)");
        check(
            &answer("403 Forbidden", "InvalidAccessKeyId"),
            "the credentials are not accepted (403 InvalidAccessKeyId)",
        );
        check(
            &answer("403 Forbidden", "RequestTimeTooSkewed"),
            "the clock of this machine is wrong (403 RequestTimeTooSkewed)",
        );
        check(
            &answer("400 Bad Request", "AuthorizationHeaderMalformed"),
            "the bucket is in another region than `AWS_REGION` says (400 AuthorizationHeaderMalformed)",
        );
        check("Received redirect without LOCATION", "the bucket is in another region than `AWS_REGION` says");
        check(&answer("503 Service Unavailable", "SlowDown"), "no usable answer (503 SlowDown)");
        check(&answer("500", "<b>s3cret</b>"), "no usable answer (500)");
        check(&answer("500", &"x".repeat(1000)), "no usable answer (500)");
        check("something else with s3cret", "no usable answer");
    }
}
