import type { FunctionFamily } from '../function-row.ts'
import { aggregate, alias, alike, REGISTERED, withNames } from '../row.ts'

const ofNumbers = alike({ kind: 'aggregate', overloads: ['x DOUBLE -> DOUBLE'] })
const ofBits = alike({ kind: 'aggregate', overloads: ['n INTEGRAL -> INTEGRAL', 'n BIT -> BIT'] })

/** Functions that make one value of many rows. */
export const AGGREGATES: FunctionFamily = Object.freeze({
  title: 'Aggregates',
  about:
    'They make one value of the rows of a group, in SQL only. Nulls are left out, where nothing else is said. `DISTINCT`, `ORDER BY` in the brackets and `FILTER (WHERE …)` behind them say which rows count and in which order ([groups](#groups-and-windows)).',
  from: "(VALUES (1, 2.5::DOUBLE, 'a'), (2, 4, 'b'), (3, 8, 'a'), (4, NULL, NULL)) AS t(n, x, s)",
  rows: [
    aggregate({
      name: 'any_value',
      overloads: ['value ANY -> ANY'],
      description: 'The first value that is not null, in no certain order without `ORDER BY`.',
      examples: [['any_value(x ORDER BY n)', '2.5']],
    }),
    aggregate({
      name: 'approx_count_distinct',
      overloads: ['value ANY -> BIGINT'],
      description: 'About how many different values there are, by HyperLogLog, without keeping them.',
      examples: [['approx_count_distinct(s)', '2']],
    }),
    aggregate({
      name: 'approx_distinct',
      overloads: ['value ANY -> UBIGINT'],
      form: REGISTERED,
      description: 'The same as `approx_count_distinct`, as an unsigned integer.',
      examples: [['approx_distinct(s)', '2']],
    }),
    aggregate({
      name: 'approx_top_k',
      overloads: ['value ANY, k BIGINT -> ANY[]'],
      description: 'About the k most frequent values, the most frequent one first.',
      examples: [['approx_top_k(s, 1)', '[a]']],
    }),
    ...withNames(
      aggregate({
        name: 'arg_max',
        overloads: ['value ANY, by ANY -> ANY', 'value ANY, by ANY, k BIGINT -> ANY[]'],
        description: 'The value in the row in which `by` is greatest; or a list of those in the k rows.',
        examples: [
          ['arg_max(n, x)', '3'],
          ['arg_max(n, x, 2)', '[3, 2]'],
        ],
      }),
      'argmax',
      'max_by',
    ),
    aggregate({
      name: 'arg_max_null',
      overloads: ['value ANY, by ANY -> ANY'],
      description: 'The same as `arg_max`, but the value may be null.',
      examples: [['arg_max_null(s, n)', 'NULL']],
    }),
    ...withNames(
      aggregate({
        name: 'arg_min',
        overloads: ['value ANY, by ANY -> ANY', 'value ANY, by ANY, k BIGINT -> ANY[]'],
        description: 'The value in the row in which `by` is least; or a list of those in the k rows.',
        examples: [['arg_min(n, x)', '1']],
      }),
      'argmin',
      'min_by',
    ),
    aggregate({
      name: 'arg_min_null',
      overloads: ['value ANY, by ANY -> ANY'],
      description: 'The same as `arg_min`, but the value may be null.',
      examples: [['arg_min_null(s, n)', 'a']],
    }),
    ...withNames(
      aggregate({
        name: 'array_agg',
        overloads: ['value ANY -> ANY[]'],
        nulls: 'are values',
        description: 'A list of all values, those that are null too.',
        examples: [['array_agg(s ORDER BY n)', '[a, b, a, NULL]']],
      }),
      'list',
    ),
    ...withNames(ofNumbers('avg', 'The mean.', 'avg(x)', '4.833333333333333'), 'mean'),
    ofBits('bit_and', 'The bits that all values have.', 'bit_and(n)', '0'),
    ofBits('bit_or', 'The bits that any value has.', 'bit_or(n)', '7'),
    ofBits('bit_xor', 'The bits that an odd number of values has.', 'bit_xor(n)', '4'),
    aggregate({
      name: 'bitstring_agg',
      overloads: ['n INTEGRAL, least INTEGRAL, greatest INTEGRAL -> BIT', 'n INTEGRAL -> BIT'],
      description: 'A bit for each integer from the least value to the greatest one: 1 if it is a value.',
      examples: [['bitstring_agg(n, 1, 4)::VARCHAR', '1111']],
    }),
    aggregate({
      name: 'bool_and',
      overloads: ['condition BOOLEAN -> BOOLEAN'],
      description: 'Whether a condition is true in all rows.',
      examples: [['bool_and(n < 4)', 'false']],
    }),
    aggregate({
      name: 'bool_or',
      overloads: ['condition BOOLEAN -> BOOLEAN'],
      description: 'Whether a condition is true in a row.',
      examples: [['bool_or(n < 4)', 'true']],
    }),
    aggregate({
      name: 'count',
      overloads: ['value ANY -> BIGINT', ' -> BIGINT'],
      description:
        'How many values are not null. `count(*)` counts rows, `count(DISTINCT x)` different values.',
      examples: [
        ['count(x)', '3'],
        ['count(*)', '4'],
        ['count(DISTINCT s)', '2'],
      ],
    }),
    ...withNames(
      aggregate({
        name: 'count_if',
        overloads: ['condition BOOLEAN -> HUGEINT'],
        description: 'In how many rows a condition is true.',
        examples: [['count_if(n > 1)', '3']],
      }),
      'countif',
    ),
    aggregate({
      name: 'count_star',
      overloads: [' -> BIGINT'],
      description: 'The number of rows, as `count(*)`.',
      examples: [['count_star()', '4']],
    }),
    aggregate({
      name: 'favg',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The mean, whose rounding errors do not add up (Kahan summation).',
      examples: [['favg(x)', '4.833333333333333']],
    }),
    ...withNames(
      aggregate({
        name: 'first',
        overloads: ['value ANY -> ANY'],
        description: 'The value of the first row, null or not, in no certain order without `ORDER BY`.',
        examples: [['first(x ORDER BY n)', '2.5']],
      }),
      'arbitrary',
    ),
    aggregate({
      name: 'first_value',
      overloads: ['value ANY -> ANY'],
      nulls: 'are values',
      form: alias('first'),
      description:
        'The value of the first row, null or not, in no certain order without `ORDER BY`. With `OVER`, that of the first row of the frame.',
      examples: [
        ['first_value(x ORDER BY n DESC)', 'NULL'],
        ['first_value(n) OVER (ORDER BY n)', '1, 1, 1, 1'],
      ],
    }),
    ...withNames(
      ofNumbers('fsum', 'The sum, whose rounding errors do not add up (Kahan summation).', 'fsum(x)', '14.5'),
      'kahan_sum',
      'sumkahan',
    ),
    ...withNames(
      ofNumbers('geomean', 'The geometric mean.', 'round(geomean(x), 3)', '4.309'),
      'geometric_mean',
    ),
    aggregate({
      name: 'histogram',
      overloads: ['value ANY -> MAP', 'value ANY, bounds ANY[] -> MAP'],
      description: 'How often there is each value, or one up to each bound.',
      examples: [
        ['histogram(s)', '{a=2, b=1}'],
        ['histogram(n, [2, 4])', '{2=2, 4=2}'],
      ],
    }),
    aggregate({
      name: 'histogram_exact',
      overloads: ['value ANY, values ANY[] -> MAP'],
      description: 'How often there is each of the values.',
      examples: [['histogram_exact(n, [1, 2])', '{1=1, 2=1, 2147483647=2}']],
    }),
    aggregate({
      name: 'last',
      overloads: ['value ANY -> ANY'],
      description: 'The value of the last row, null or not, in no certain order without `ORDER BY`.',
      examples: [['last(n ORDER BY n)', '4']],
    }),
    aggregate({
      name: 'last_value',
      overloads: ['value ANY -> ANY'],
      nulls: 'are values',
      form: alias('last'),
      description:
        'The value of the last row, null or not, in no certain order without `ORDER BY`. With `OVER`, that of the last row of the frame.',
      examples: [
        ['last_value(n ORDER BY x)', '4'],
        ['last_value(n) OVER (ORDER BY n)', '1, 2, 3, 4'],
      ],
    }),
    aggregate({
      name: 'max',
      overloads: ['value ANY -> ANY', 'value ANY, k BIGINT -> ANY[]'],
      description: 'The greatest value, or a list of the k greatest ones.',
      examples: [
        ['max(x)', '8.0'],
        ['max(n, 2)', '[4, 3]'],
      ],
    }),
    aggregate({
      name: 'min',
      overloads: ['value ANY -> ANY', 'value ANY, k BIGINT -> ANY[]'],
      description: 'The least value, or a list of the k least ones.',
      examples: [
        ['min(x)', '2.5'],
        ['min(n, 2)', '[1, 2]'],
      ],
    }),
    aggregate({
      name: 'nth_value',
      overloads: ['value ANY, n BIGINT -> ANY'],
      nulls: 'are values',
      form: REGISTERED,
      description:
        'The value of the n-th row, counted from 1, or from the last one if n is negative; null if there is none. In no certain order without `ORDER BY`. With `OVER`, that of the n-th row of the frame.',
      examples: [
        ['nth_value(x, 2 ORDER BY n)', '4.0'],
        ['nth_value(n, 2) OVER (ORDER BY n)', 'NULL, 2, 2, 2'],
      ],
    }),
    ofNumbers('product', 'The product of all values.', 'product(n)', '24.0'),
    ...withNames(
      aggregate({
        name: 'string_agg',
        overloads: ['text ANY, separator VARCHAR -> VARCHAR', 'text ANY -> VARCHAR'],
        description: 'The texts behind each other, with the separator between them, or a comma.',
        examples: [["string_agg(s, '; ' ORDER BY n)", 'a; b; a']],
      }),
      'group_concat',
      'listagg',
    ),
    aggregate({
      name: 'sum',
      overloads: [
        'x DOUBLE -> DOUBLE',
        'n BIGINT -> HUGEINT',
        'n UBIGINT -> UBIGINT',
        'x DECIMAL -> DECIMAL',
      ],
      description:
        'The sum, which is exact for integers and decimals. That of integers has 64 bits in an answer, and is unsigned if they are; one that does not fit is an error, and `sum(n::DECIMAL(38, 0))` has more.',
      examples: [
        ['sum(x)', '14.5'],
        ['sum(n)', '10'],
        ['sum(n::UTINYINT)', '10'],
      ],
    }),
    ...withNames(
      aggregate({
        name: 'weighted_avg',
        overloads: ['x DOUBLE, weight DOUBLE -> DOUBLE'],
        description: 'The mean, with a weight for each value.',
        examples: [['weighted_avg(x, n)', '5.75']],
      }),
      'wavg',
    ),
  ],
})
