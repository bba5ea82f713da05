// KaTeX as the export uses it: TeX in, MathML out. What draws HTML is left out (see ../rebuild.mjs).
import parseTree from 'katex/src/parseTree';
import ParseError from 'katex/src/ParseError';
import Settings from 'katex/src/Settings';
import Options from 'katex/src/Options';
import Style from 'katex/src/Style';
import { _mathmlGroupBuilders as builders } from 'katex/src/defineFunction';
import { buildExpression } from 'katex/src/buildMathML';
import { MathNode } from 'katex/src/mathMLTree';
import 'katex/contrib/mhchem/mhchem';

// for `\show` and its like
globalThis.console ??= { log() {}, error() {}, warn() {} };

/** What authors write that KaTeX does not know. */
const MACROS = {
  '\\strut': '\\mathstrut',
  '\\label': (context) => {
    context.consumeArg();
    return '';
  },
  '\\unicode': (context) => `\\char"${argument(context).replace(/^x/, '')}`,
  '\\DeclareMathOperator': (context) => {
    context.consumeSpaces();
    const star = context.future().text === '*' ? context.popToken().text : '';
    const name = argument(context);
    context.macros.set(name, `\\operatorname${star}{${argument(context)}}`);
    return '';
  },
};

const argument = (context) => context.consumeArg().tokens.map(({ text }) => text).reverse().join('');

/**
 * The MathML of an expression. Of one that cannot be read: how many UTF-16 units stand before the mistake (or nothing), a colon, and what
 * is wrong.
 */
globalThis.katex = (tex, display) => {
  let refused = '';
  const settings = new Settings({
    displayMode: display === 'block',
    output: 'mathml',
    throwOnError: true,
    strict: false,
    maxExpand: 1000,
    maxSize: 50,
    macros: { ...MACROS },
    // a link is shown as its text; classes, ids, styles, data and pictures are not what a formula is for
    trust: ({ command }) => {
      if (command !== '\\href' && command !== '\\url') refused ||= command;
      return !refused;
    },
  });
  const options = new Options({
    style: settings.displayMode ? Style.DISPLAY : Style.TEXT,
    maxSize: settings.maxSize,
    minRuleThickness: settings.minRuleThickness,
    strict: settings.strict,
  });
  try {
    const markup = buildExpression(withTags(parseTree(tex, settings)), options).map((node) => node.toMarkup()).join('');
    return refused ? `:${refused} is not allowed` : `<math>${markup}</math>`;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return `${error.position ?? ''}:${error.rawMessage}`;
  }
};

/**
 * KaTeX's MathML has an empty cell where a row of `align` or the like has a tag. Here the tag becomes the row's last cell: an `mrow` of the
 * class `tag`, or `number` where the page counts. Only arrays at the top have tags.
 */
function withTags(tree) {
  for (const node of tree) {
    if (node.type !== 'array') continue;
    node.tags?.forEach((tag, at) => {
      if (tag) node.body[at]?.push({ type: 'row-tag', tag });
    });
    node.tags = undefined;
  }
  return tree;
}

builders['row-tag'] = ({ tag }, options) =>
  Array.isArray(tag) ? new MathNode('mrow', buildExpression(tag, options), ['tag']) : new MathNode('mrow', [], ['number']);
