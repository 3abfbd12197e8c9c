import type { FunctionFamily } from '../function-row.ts'
import { macro, once, row, withNames } from '../row.ts'

/** Functions of numbers. */
export const NUMBERS: FunctionFamily = Object.freeze({
  title: 'Numbers',
  rows: [
    row({
      name: 'abs',
      overloads: ['x DOUBLE -> DOUBLE', 'x NUMBER -> NUMBER'],
      description: 'The absolute value. Of the least integer of a type it is an error.',
      examples: [['abs(-3)', '3']],
    }),
    row({
      name: 'bit_count',
      overloads: ['n BIGINT -> TINYINT'],
      description: 'The number of bits that are 1.',
      examples: [['bit_count(31)', '5']],
    }),
    ...withNames(
      row({
        name: 'ceil',
        overloads: ['x DOUBLE -> DOUBLE', 'x NUMBER -> NUMBER'],
        description: 'The least whole number that is not below it.',
        examples: [
          ['ceil(2.1)', '3'],
          ['ceil(-2.9::DOUBLE)', '-2.0'],
        ],
      }),
      'ceiling',
    ),
    row({
      name: 'even',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The next even number away from 0.',
      examples: [['even(2.1)', '4.0']],
    }),
    row({
      name: 'factorial',
      overloads: ['n INTEGER -> HUGEINT'],
      description:
        'The product of all whole numbers from 1 to it. An error above 33; an answer above that of 20 needs a cast.',
      examples: [['factorial(5)', '120']],
    }),
    row({
      name: 'fdiv',
      overloads: ['x DOUBLE, y DOUBLE -> DOUBLE'],
      description: 'The quotient, rounded down to a whole number.',
      examples: [['fdiv(7, 2)', '3.0']],
    }),
    row({
      name: 'floor',
      overloads: ['x DOUBLE -> DOUBLE', 'x NUMBER -> NUMBER'],
      description: 'The greatest whole number that is not above it.',
      examples: [
        ['floor(2.9)', '2'],
        ['floor(-2.1::DOUBLE)', '-3.0'],
      ],
    }),
    row({
      name: 'fmod',
      overloads: ['x DOUBLE, y DOUBLE -> DOUBLE'],
      description: 'The remainder that `fdiv` leaves, which has the sign of the divisor.',
      examples: [['fmod(-7.5, 2)', '0.5']],
    }),
    ...withNames(
      row({
        name: 'gcd',
        overloads: ['a BIGINT, b BIGINT -> BIGINT', 'a HUGEINT, b HUGEINT -> HUGEINT'],
        description: 'The greatest whole number that divides both.',
        examples: [['gcd(12, 18)', '6']],
      }),
      'greatest_common_divisor',
    ),
    row({
      name: 'isfinite',
      overloads: ['x DOUBLE -> BOOLEAN', 'x FLOAT -> BOOLEAN', 't DATE -> BOOLEAN', 't TIMESTAMP -> BOOLEAN'],
      description: 'Whether a number is neither NaN nor infinite, or a time not infinite.',
      examples: [
        ['isfinite(1e300)', 'true'],
        ["isfinite('inf'::DOUBLE)", 'false'],
      ],
    }),
    row({
      name: 'isinf',
      overloads: ['x DOUBLE -> BOOLEAN', 'x FLOAT -> BOOLEAN', 't DATE -> BOOLEAN', 't TIMESTAMP -> BOOLEAN'],
      description: 'Whether a number or a time is infinite.',
      examples: [["isinf('-inf'::DOUBLE)", 'true']],
    }),
    row({
      name: 'isnan',
      overloads: ['x DOUBLE -> BOOLEAN', 'x FLOAT -> BOOLEAN'],
      description: 'Whether a number is NaN.',
      examples: [["isnan('nan'::DOUBLE)", 'true']],
    }),
    row({
      name: 'iszero',
      overloads: ['x DOUBLE -> BOOLEAN'],
      description: 'Whether a number is 0 or -0.',
      form: macro(['x', 'x = 0']),
      examples: [
        ['iszero(0)', 'true'],
        ['iszero(-2.5)', 'false'],
      ],
    }),
    ...withNames(
      row({
        name: 'lcm',
        overloads: ['a BIGINT, b BIGINT -> BIGINT', 'a HUGEINT, b HUGEINT -> HUGEINT'],
        description: 'The least whole number above 0 that both divide.',
        examples: [['lcm(12, 18)', '36']],
      }),
      'least_common_multiple',
    ),
    row({
      name: 'mod',
      overloads: ['x DOUBLE, y DOUBLE -> DOUBLE', 'x NUMBER, y NUMBER -> NUMBER'],
      nulls: 'are values',
      description:
        'The remainder, as `x % y`. It has the sign of the first number. Of whole numbers and 0 it is null.',
      examples: [
        ['mod(-7, 2)', '-1'],
        ['mod(7.5, 2)', '1.5'],
      ],
    }),
    row({
      name: 'nanvl',
      overloads: ['x DOUBLE, other DOUBLE -> DOUBLE', 'x NUMBER, other NUMBER -> NUMBER'],
      nulls: 'are values',
      form: macro(once(['x', 'other'], (x, other) => `CASE WHEN isnan(${x}) THEN ${other} ELSE ${x} END`)),
      description: 'The first number, or the second one if the first is NaN. Null if the first is null.',
      examples: [
        ["nanvl('NaN'::DOUBLE, 5)", '5.0'],
        ['nanvl(2.5, 5)', '2.5'],
      ],
    }),
    row({
      name: 'nextafter',
      overloads: ['x DOUBLE, y DOUBLE -> DOUBLE', 'x FLOAT, y FLOAT -> FLOAT'],
      description: 'The next number that the type has in the direction of the second one.',
      examples: [['nextafter(1::FLOAT, 2::FLOAT)', '1.0000001']],
    }),
    row({
      name: 'random',
      overloads: [' -> DOUBLE'],
      isConstant: false,
      description: 'A random number from 0 to 1, another one in each row.',
      examples: [['random()', null]],
    }),
    row({
      name: 'round',
      overloads: [
        'x DOUBLE -> DOUBLE',
        'x DOUBLE, digits INTEGER -> DOUBLE',
        'x NUMBER -> NUMBER',
        'x NUMBER, digits INTEGER -> NUMBER',
      ],
      description:
        'The nearest whole number, or the nearest one with so many digits behind the point; of two, the one away from 0.',
      examples: [
        ['round(2.5::DOUBLE)', '3.0'],
        ['round(3.14159::DOUBLE, 2)', '3.14'],
        ['round(1234::DOUBLE, -2)', '1200.0'],
      ],
    }),
    ...withNames(
      row({
        name: 'round_even',
        overloads: ['x DOUBLE, digits INTEGER -> DOUBLE'],
        description: 'The same as `round`, but of two numbers that are as near the even one.',
        examples: [['round_even(2.5::DOUBLE, 0)', '2.0']],
      }),
      'roundbankers',
    ),
    row({
      name: 'sign',
      overloads: ['x DOUBLE -> TINYINT', 'x NUMBER -> TINYINT'],
      description: '1 for a number above 0, -1 for one below, else 0.',
      examples: [['sign(-2.5)', '-1']],
    }),
    row({
      name: 'signbit',
      overloads: ['x DOUBLE -> BOOLEAN', 'x FLOAT -> BOOLEAN'],
      description: 'Whether the sign is that of numbers below 0, which -0 has too.',
      examples: [['signbit(-0.0::DOUBLE)', 'true']],
    }),
    row({
      name: 'signum',
      overloads: ['x DOUBLE -> DOUBLE'],
      form: macro(once(['x'], (x) => `CASE WHEN isnan(${x}) THEN ${x} ELSE sign(${x})::DOUBLE END`)),
      description: '1 for a number above 0, -1 for one below, 0 for 0 and -0, and NaN for NaN.',
      examples: [
        ['signum(-2.5)', '-1.0'],
        ['signum(0)', '0.0'],
      ],
    }),
    row({
      name: 'to_base',
      overloads: ['n BIGINT, base INTEGER -> VARCHAR', 'n BIGINT, base INTEGER, digits INTEGER -> VARCHAR'],
      description:
        'A whole number, not below 0, in digits of a base from 2 to 36, with zeros in front up to so many digits.',
      examples: [
        ['to_base(255, 16)', 'FF'],
        ['to_base(5, 2, 8)', '00000101'],
      ],
    }),
    row({
      name: 'trunc',
      overloads: ['x DOUBLE -> DOUBLE', 'x NUMBER -> NUMBER'],
      description: 'The number without its digits behind the point.',
      examples: [['trunc(-2.9::DOUBLE)', '-2.0']],
    }),
    row({
      name: 'xor',
      overloads: ['a INTEGRAL, b INTEGRAL -> INTEGRAL', 'a BIT, b BIT -> BIT'],
      description: 'The bits that one of two numbers has, and not both.',
      examples: [['xor(6, 3)', '5']],
    }),
  ],
})
