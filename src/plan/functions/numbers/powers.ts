import type { FunctionFamily } from '../function-row.ts'
import { row, withNames } from '../row.ts'

/** Powers, roots, logarithms, and what is made of them. */
export const POWERS: FunctionFamily = Object.freeze({
  title: 'Powers and logarithms',
  rows: [
    row({
      name: 'acosh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The inverse of `cosh`: not below 0. NaN for numbers below 1.',
      examples: [['acosh(1)', '0.0']],
    }),
    row({
      name: 'asinh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The inverse of `sinh`.',
      examples: [['round(asinh(1), 6)', '0.881374']],
    }),
    row({
      name: 'atanh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The inverse of `tanh`. An error for numbers beyond -1 and 1.',
      examples: [['round(atanh(0.5), 6)', '0.549306']],
    }),
    row({
      name: 'cbrt',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The cube root.',
      examples: [['cbrt(27)', '3.0']],
    }),
    row({
      name: 'cosh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The hyperbolic cosine.',
      examples: [['round(cosh(1), 6)', '1.543081']],
    }),
    row({
      name: 'exp',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: "The power of Euler's number.",
      examples: [['exp(0)', '1.0']],
    }),
    row({
      name: 'gamma',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The gamma function: of a whole number the factorial of the one before.',
      examples: [['gamma(5)', '24.0']],
    }),
    row({
      name: 'lgamma',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The natural logarithm of the gamma function.',
      examples: [['round(lgamma(10), 6)', '12.801827']],
    }),
    row({
      name: 'ln',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The natural logarithm. An error for numbers that are not above 0.',
      examples: [['ln(1)', '0.0']],
    }),
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
    row({
      name: 'sinh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The hyperbolic sine.',
      examples: [['round(sinh(1), 6)', '1.175201']],
    }),
    row({
      name: 'sqrt',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The square root. An error for numbers below 0.',
      examples: [['sqrt(16)', '4.0']],
    }),
    row({
      name: 'tanh',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The hyperbolic tangent.',
      examples: [['round(tanh(1), 6)', '0.761594']],
    }),
  ],
})
