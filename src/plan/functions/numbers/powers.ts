import type { FunctionFamily } from '../function-row.ts'
import { alike, row, withNames } from '../row.ts'

const ofNumber = alike({ overloads: ['x DOUBLE -> DOUBLE'] })

/** Powers, roots, logarithms, and what is made of them. */
export const POWERS: FunctionFamily = Object.freeze({
  title: 'Powers and logarithms',
  rows: [
    ofNumber('acosh', 'The inverse of `cosh`: not below 0. NaN for numbers below 1.', 'acosh(1)', '0.0'),
    ofNumber('asinh', 'The inverse of `sinh`.', 'round(asinh(1), 6)', '0.881374'),
    row({
      name: 'atanh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The inverse of `tanh`. An error for numbers beyond -1 and 1.',
      examples: [['round(atanh(0.5), 6)', '0.549306']],
    }),
    ofNumber('cbrt', 'The cube root.', 'cbrt(27)', '3.0'),
    ofNumber('cosh', 'The hyperbolic cosine.', 'round(cosh(1), 6)', '1.543081'),
    ofNumber('exp', "The power of Euler's number.", 'exp(0)', '1.0'),
    row({
      name: 'gamma',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The gamma function: of a whole number the factorial of the one before.',
      examples: [['gamma(5)', '24.0']],
    }),
    ofNumber('lgamma', 'The natural logarithm of the gamma function.', 'round(lgamma(10), 6)', '12.801827'),
    ofNumber('ln', 'The natural logarithm. An error for numbers that are not above 0.', 'ln(1)', '0.0'),
    row({
      name: 'log',
      overloads: ['x DOUBLE -> DOUBLE', 'base DOUBLE, x DOUBLE -> DOUBLE'],
      description:
        'The logarithm with base 10, or with another base, which comes first. An error for numbers that are not above 0.',
      examples: [
        ['log(1000)', '3.0'],
        ['log(2, 8)', '3.0'],
      ],
    }),
    row({
      name: 'log10',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The logarithm with base 10. An error for numbers that are not above 0.',
      examples: [['log10(1000)', '3.0']],
    }),
    row({
      name: 'log2',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The logarithm with base 2. An error for numbers that are not above 0.',
      examples: [['log2(8)', '3.0']],
    }),
    ...withNames(
      row({
        name: 'power',
        overloads: ['x DOUBLE, y DOUBLE -> DOUBLE'],
        description: 'The power.',
        examples: [['power(2, 10)', '1024.0']],
      }),
      'pow',
    ),
    ofNumber('sinh', 'The hyperbolic sine.', 'round(sinh(1), 6)', '1.175201'),
    ofNumber('sqrt', 'The square root. An error for numbers below 0.', 'sqrt(16)', '4.0'),
    ofNumber('tanh', 'The hyperbolic tangent.', 'round(tanh(1), 6)', '0.761594'),
  ],
})
