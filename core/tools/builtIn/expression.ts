/** Why an expression has no result, in a sentence for its author. */
export class CalculationFault extends Error {
  override readonly name = 'CalculationFault';
}

/** Integers are exact, all other numbers are doubles. */
type Value = bigint | number;

const longestExpression = 1000;
const deepestNesting = 100;
/** Size of an exact result in bits: about 1,200 decimal digits. */
const mostBits = 4096;

/**
 * The value of an arithmetic expression: + - * / % ^ (also **), parentheses, numbers, constants and functions. Precedence as in mathematics: -2 ^ 2
 * is -4, 2 ^ 3 ^ 2 is 2 ^ 9. Nothing outside this grammar is evaluated.
 * @throws CalculationFault for anything else, for a division by zero, and for results that are not finite numbers
 */
export function calculate(expression: string): Value {
  if (expression.length > longestExpression) throw new CalculationFault(`The expression is longer than ${longestExpression} characters.`);
  const parser = new Parser(expression);
  return parser.whole();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Value {
    const value = this.#sum();
    if (this.#peek() !== '') throw this.#fault(`${JSON.stringify(this.#peek())} was not expected`);
    return value;
  }

  #sum(): Value {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value = finite(apply('+', value, this.#product()));
      else if (this.#take('-') || this.#take('−')) value = finite(apply('-', value, this.#product()));
      else return value;
    }
  }

  #product(): Value {
    let value = this.#signed();
    for (;;) {
      if (this.#text.startsWith('**', this.#skip())) return value;
      if (this.#take('*') || this.#take('×') || this.#take('·')) value = finite(apply('*', value, this.#signed()));
      else if (this.#take('/') || this.#take('÷')) value = finite(apply('/', value, this.#signed()));
      else if (this.#take('%')) value = finite(apply('%', value, this.#signed()));
      else return value;
    }
  }

  /** Below powers, so that -2 ^ 2 is -(2 ^ 2). */
  #signed(): Value {
    let isNegative = false;
    for (;;) {
      if (this.#take('-') || this.#take('−')) isNegative = !isNegative;
      else if (!this.#take('+')) break;
    }
    const value = this.#power();
    return isNegative ? -value : value;
  }

  #power(): Value {
    const base = this.#atom();
    if (!this.#take('**') && !this.#take('^')) return base;
    return this.#nested(() => finite(power(base, this.#signed())));
  }

  #atom(): Value {
    if (this.#take('(')) {
      const value = this.#nested(() => this.#sum());
      if (!this.#take(')')) throw this.#fault('a ")" is missing');
      return value;
    }
    const remainder = this.#text.slice(this.#skip());
    const number = /^(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(remainder)?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      const digits = number.replaceAll('_', '');
      return /^\d+$/.test(digits) ? BigInt(digits) : finite(Number(digits));
    }
    const name = /^[A-Za-z][A-Za-z0-9]*/.exec(remainder)?.[0];
    if (name === undefined) throw this.#fault(remainder === '' ? 'it ends too early' : `${JSON.stringify(remainder[0])} was not expected`);
    this.#at += name.length;
    return this.#named(name.toLowerCase());
  }

  #named(name: string): Value {
    if (!this.#take('(')) {
      const constant = constants.get(name);
      if (constant === undefined) throw new CalculationFault(`${name} is not a constant. There are: ${[...constants.keys()].join(', ')}.`);
      return constant;
    }
    const compute = functions.get(name);
    if (compute === undefined) throw new CalculationFault(`There is no function ${name}. There are: ${[...functions.keys()].join(', ')}.`);
    const values = this.#nested(() => {
      const list: Value[] = [];
      if (this.#take(')')) return list;
      do list.push(this.#sum());
      while (this.#take(','));
      if (!this.#take(')')) throw this.#fault('a ")" is missing');
      return list;
    });
    return finite(compute(name, values));
  }

  #nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepestNesting) throw new CalculationFault(`The expression is nested deeper than ${deepestNesting} levels.`);
    const value = parse();
    this.#depth -= 1;
    return value;
  }

  #skip(): number {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#at;
  }

  #peek(): string {
    return this.#text[this.#skip()] ?? '';
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#skip())) return false;
    this.#at += sign.length;
    return true;
  }

  #fault(what: string): CalculationFault {
    return new CalculationFault(`The expression cannot be read: ${what} (character ${this.#at + 1}).`);
  }
}

const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);

type Compute = (name: string, values: readonly Value[]) => Value;

const functions: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ...(['sqrt', 'cbrt', 'trunc', 'exp', 'log10', 'log2', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'floor', 'ceil'] as const).map(
    (name) =>
      [name, unary(name.match(/trunc|floor|ceil/) ? (value) => whole(value, Math[name]) : (value) => Math[name](Number(value)))] as const,
  ),
  ['ln', unary((value) => Math.log(Number(value)))],
  ['abs', unary((value) => (value < 0 ? -value : value))],
  ['sign', unary((value) => BigInt(value > 0 ? 1 : value < 0 ? -1 : 0))],
  ['round', round],
  ['min', variadic((values) => values.reduce((least, value) => (value < least ? value : least)))],
  ['max', variadic((values) => values.reduce((most, value) => (value > most ? value : most)))],
  ['sum', variadic((values) => values.reduce((sum, value) => apply('+', sum, value)))],
  [
    'mean',
    variadic((values) =>
      apply(
        '/',
        values.reduce((sum, value) => apply('+', sum, value)),
        BigInt(values.length),
      ),
    ),
  ],
]);

function unary(compute: (value: Value) => Value): Compute {
  return (name, [value, ...others]) => {
    if (value === undefined || others.length > 0) throw new CalculationFault(`${name} takes one number.`);
    return compute(value);
  };
}

function variadic(compute: (values: readonly Value[]) => Value): Compute {
  return (name, values) => {
    if (values.length === 0) throw new CalculationFault(`${name} takes at least one number.`);
    return compute(values);
  };
}

/** `round(x)` or `round(x, digits)`; halves away from zero. */
function round(name: string, [value, digits = 0n, ...others]: readonly Value[]): Value {
  if (value === undefined || others.length > 0) throw new CalculationFault(`${name} takes a number, and how many decimal places to keep.`);
  const places = Number(digits);
  if (!Number.isInteger(places) || places < 0 || places > 15) throw new CalculationFault('round keeps 0 to 15 decimal places.');
  if (typeof value === 'bigint') return value;
  // Shifted as a decimal, not as a double: 1.005 to two digits is 1.01.
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toString().split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + places}`));
  const [shiftedMantissa = '0', shiftedExponent = '0'] = shifted.toString().split('e');
  const rounded = Math.sign(value) * Number(`${shiftedMantissa}e${Number(shiftedExponent) - places}`);
  return places === 0 ? whole(rounded, (result) => result) : rounded;
}

function whole(value: Value, cut: (value: number) => number): Value {
  if (typeof value === 'bigint') return value;
  const result = cut(value);
  return Number.isFinite(result) ? BigInt(result) : result;
}

function apply(operator: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Value {
  if ((operator === '/' || operator === '%') && Number(right) === 0) throw new CalculationFault('The expression divides by zero.');
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (operator === '+') return left + right;
    if (operator === '-') return left - right;
    if (operator === '*') return left * right;
    if (operator === '%') return left % right;
    return left % right === 0n ? left / right : Number(left) / Number(right);
  }
  const [a, b] = [Number(left), Number(right)];
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' ? a / b : a % b;
}

function power(base: Value, exponent: Value): Value {
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    const bits = base.toString(2).length * Number(exponent);
    if (base * base <= 1n || bits <= mostBits) return base ** exponent;
  }
  return Number(base) ** Number(exponent);
}

/** @throws CalculationFault for NaN, infinity and integers that are too large */
function finite(value: Value): Value {
  if (typeof value === 'bigint') {
    if (value.toString(2).length > mostBits) throw new CalculationFault('The result is too large.');
    return value;
  }
  if (Number.isNaN(value)) throw new CalculationFault('The result is not a real number.');
  if (!Number.isFinite(value)) throw new CalculationFault('The result is too large.');
  return value;
}
