import esbuild from 'esbuild';

/**
 * Makes the chunks of one build CommonJS. What a chunk takes from another becomes a constant of its own when it is loaded: esbuild's own way, a
 * getter that calls a getter at every use, is felt wherever code runs that V8 has not optimised yet, which is most of what a command does.
 *
 * That is the same as long as the other chunk has run by then, which it has, since chunks never import each other in a circle, and as long as
 * it never assigns to what it exports. A name that may be assigned to is looked up at every use, as before.
 *
 * @param texts ES modules by path, as esbuild has written them with `splitting` and `minifyWhitespace`
 * @returns CommonJS by the same paths
 */
export async function toCommonJs(texts, options) {
  const changing = new Map([...texts].map(([path, text]) => [path, changingExports(text)]));
  const converted = new Map();
  for (const [path, text] of texts) {
    const { code } = await esbuild.transform(withExports(withConstants(path, text, changing), changing.get(path)), {
      ...options,
      format: 'cjs',
      platform: 'node',
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
    });
    converted.set(path, withoutCopies(code));
  }
  return converted;
}

const imports = /^(?:import(?:\{[^{}]*\}from)?"\.[^"]*";\s*)+/;
const exported = /export\{([^{}]*)\};\s*$/;

/** `a as b` pairs of an import or export clause: what it is called there, and here. */
function namesIn(clause) {
  return clause
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const [theirs, ours = theirs] = name.trim().split(' as ');
      return [theirs, ours];
    });
}

/** The exported names of a module that it may assign to later, by the name they are exported as. Rather one too many than one too few. */
export function changingExports(text) {
  const clause = exported.exec(text)?.[1] ?? '';
  const code = text.replace(exported, '');
  return new Set(namesIn(clause).flatMap(([local, name]) => (mayChange(code, local) ? [name] : [])));
}

function mayChange(code, name) {
  const escaped = name.replaceAll('$', '\\$');
  const count = (pattern) => [...code.matchAll(new RegExp(pattern, 'g'))].length;
  const before = '(?<![\\w$.])';
  const assigned =
    count(`${before}${escaped}(?:=(?![=>])|(?:\\*\\*|>>>?|<<|&&|\\|\\||\\?\\?|[-+*/%&|^])=|\\+\\+|--)`) +
    count(`(?:\\+\\+|--)${escaped}(?![\\w$])`);
  const isCode = count(`${before}(?:function ?\\*? ?|class )${escaped}(?![\\w$])`) > 0;
  if (isCode) return assigned > 0;
  const isBare = count(`(?:var |let |,)${escaped}(?=[,;])`) > 0 || count(`\\((?:var |let )?${escaped} (?:of|in) `) > 0;
  return assigned !== 1 || isBare;
}

function withConstants(path, text, changing) {
  const head = imports.exec(text)?.[0];
  if (head === undefined) return text;
  const rewritten = head.replace(/import(?:\{([^{}]*)\}from)?("\.[^"]*");\s*/g, (_, clause, specifier) => {
    if (clause === undefined) return `require(${specifier});`;
    const target = new URL(JSON.parse(specifier), `file:///${path}`).pathname.slice(1);
    const live = changing.get(target);
    if (live === undefined) throw new Error(`${path} imports ${specifier}, which was not built with it.`);
    const names = namesIn(clause);
    const constant = names.filter(([theirs]) => !live.has(theirs)).map(([theirs, ours]) => (theirs === ours ? ours : `${theirs}:${ours}`));
    const other = names.filter(([theirs]) => live.has(theirs)).map(([theirs, ours]) => `${theirs} as ${ours}`);
    return (
      (constant.length > 0 ? `const{${constant.join(',')}}=require(${specifier});` : '') +
      (other.length > 0 ? `import{${other.join(',')}}from${specifier};` : '')
    );
  });
  return rewritten + text.slice(head.length);
}

function withExports(text, live) {
  return text.replace(exported, (_, clause) => {
    const members = namesIn(clause).map(([local, name]) => {
      if (live.has(name)) return `get ${name}(){return ${local}}`;
      return local === name ? name : `${name}:${local}`;
    });
    return `module.exports={${members.join(',')}};`;
  });
}

/**
 * A namespace of ours, of Node or of VS Code is an object as it is. A copy of it with a getter for each name costs at every use and, for the API
 * of VS Code with its hundreds of names in each module, is half of an activation. Only a default import needs the copy, to find it there.
 */
function withoutCopies(code) {
  const copy = /(?:var (\w+)=)?__toESM\((require\("(vscode|node:[\w/]+|\.{1,2}\/[^"]+)"\))(?:, ?1)?\)/g;
  return code.replace(copy, (all, name, plain) => {
    if (name === undefined) return plain;
    return code.includes(`${name}.default`) ? all : `var ${name}=${plain}`;
  });
}
