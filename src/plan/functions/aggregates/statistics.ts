import type { FunctionFamily } from '../function-row.ts'
import { aggregate, alias, alike, REGISTERED, withNames } from '../row.ts'

const ofNumbers = alike({ kind: 'aggregate', overloads: ['x DOUBLE -> DOUBLE'] })
const ofPairs = alike({ kind: 'aggregate', overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'] })

/** Aggregates of statistics. */
export const STATISTICS: FunctionFamily = Object.freeze({
  title: 'Statistics',
  from: "(VALUES (1, 2.5::DOUBLE, 'a'), (2, 4, 'b'), (3, 8, 'a'), (4, NULL, NULL)) AS t(n, x, s)",
  rows: [
    aggregate({
      name: 'approx_median',
      overloads: ['x DOUBLE -> DOUBLE', 'x NUMBER -> NUMBER', 't TIMESTAMP -> TIMESTAMP', 't DATE -> DATE'],
      form: REGISTERED,
      description: 'About the value in the middle, by a t-digest.',
      examples: [['approx_median(x)', '4.0']],
    }),
    aggregate({
      name: 'approx_percentile_cont',
      overloads: [
        'x DOUBLE, q FLOAT -> DOUBLE',
        'x NUMBER, q FLOAT -> NUMBER',
        't TIMESTAMP, q FLOAT -> TIMESTAMP',
        'x NUMBER, q FLOAT, centroids BIGINT -> NUMBER',
      ],
      form: REGISTERED,
      description:
        'About the value below which the share q of all values is, by a t-digest. It always has a hundred centroids.',
      examples: [
        ['approx_percentile_cont(x, 0.5)', '4.0'],
        ['approx_percentile_cont(x, 0.5, 200)', '4.0'],
      ],
    }),
    aggregate({
      name: 'approx_quantile',
      overloads: [
        'x DOUBLE, q FLOAT -> DOUBLE',
        'x NUMBER, q FLOAT -> NUMBER',
        'x NUMBER, q FLOAT[] -> ANY[]',
      ],
      description:
        'About the value below which the share q of all values is, by a t-digest. Some shares give a list.',
      examples: [['approx_quantile(x, 0.5)', '4.0']],
    }),
    ofPairs('corr', "Pearson's correlation of two columns.", 'round(corr(n, x), 3)', '0.967'),
    aggregate({
      name: 'covar',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      form: alias('covar_samp'),
      description: 'The same as `covar_samp`.',
      examples: [['round(covar(n, x), 3)', '2.75']],
    }),
    ofPairs('covar_pop', 'The covariance of a population.', 'round(covar_pop(n, x), 3)', '1.833'),
    ofPairs('covar_samp', 'The covariance of a sample.', 'round(covar_samp(n, x), 3)', '2.75'),
    aggregate({
      name: 'entropy',
      overloads: ['value ANY -> DOUBLE'],
      description: "The entropy of the values' shares, in bits.",
      examples: [['entropy(n)', '2.0']],
    }),
    aggregate({
      name: 'kurtosis',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The excess kurtosis of a sample, corrected for its size.',
      examples: [['round(kurtosis(n), 3)', '-1.2']],
    }),
    ofNumbers('kurtosis_pop', 'The excess kurtosis of a population.', 'round(kurtosis_pop(n), 3)', '-1.36'),
    aggregate({
      name: 'mad',
      overloads: [
        'x DOUBLE -> DOUBLE',
        'x NUMBER -> NUMBER',
        'x DATE -> INTERVAL',
        'x TIMESTAMP -> INTERVAL',
      ],
      description: 'The median distance from the median.',
      examples: [['mad(x)', '1.5']],
    }),
    aggregate({
      name: 'median',
      overloads: ['x DOUBLE -> DOUBLE', 'value ANY -> ANY'],
      description:
        'The value in the middle; of two in the middle the mean, or the lower one where there is none.',
      examples: [
        ['median(x)', '4.0'],
        ['median(n)', '2.5'],
      ],
    }),
    aggregate({
      name: 'mode',
      overloads: ['value ANY -> ANY'],
      description: 'The most frequent value.',
      examples: [['mode(s)', 'a']],
    }),
    aggregate({
      name: 'quantile_cont',
      overloads: ['x DOUBLE, q DOUBLE -> DOUBLE', 'x ANY, q DOUBLE -> ANY', 'x ANY, q DOUBLE[] -> ANY[]'],
      description:
        'The value below which the share q of all values is, between two values if it lies there. Some shares give a list.',
      examples: [
        ['quantile_cont(x, 0.75)', '6.0'],
        ['quantile_cont(n, [0.25, 0.5])', '[1.75, 2.5]'],
      ],
    }),
    ...withNames(
      aggregate({
        name: 'quantile_disc',
        overloads: ['value ANY, q DOUBLE -> ANY', 'value ANY, q DOUBLE[] -> ANY[]'],
        description: 'The value at or below which the share q of all values is. Some shares give a list.',
        examples: [['quantile_disc(x, 0.75)', '8.0']],
      }),
      'quantile',
    ),
    ofPairs('regr_avgx', 'The mean of x where neither is null.', 'regr_avgx(n, x)', '4.833333333333333'),
    ofPairs('regr_avgy', 'The mean of y where neither is null.', 'regr_avgy(n, x)', '2.0'),
    aggregate({
      name: 'regr_count',
      overloads: ['y DOUBLE, x DOUBLE -> UINTEGER'],
      description: 'The number of rows in which neither is null.',
      examples: [['regr_count(n, x)', '3']],
    }),
    aggregate({
      name: 'regr_intercept',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      description: 'Where the line of linear regression has x = 0.',
      examples: [['round(regr_intercept(n, x), 3)', '0.356']],
    }),
    aggregate({
      name: 'regr_r2',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      description: 'The coefficient of determination of the linear regression.',
      examples: [['round(regr_r2(n, x), 3)', '0.936']],
    }),
    aggregate({
      name: 'regr_slope',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      description: 'The slope of the line of linear regression.',
      examples: [['round(regr_slope(n, x), 3)', '0.34']],
    }),
    aggregate({
      name: 'regr_sxx',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      description: 'The sum of squared distances of x from its mean.',
      examples: [['regr_sxx(n, x)', '16.166666666666668']],
    }),
    aggregate({
      name: 'regr_sxy',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      description: 'The sum of products of the distances of x and y from their means.',
      examples: [['regr_sxy(n, x)', '5.5']],
    }),
    ofPairs('regr_syy', 'The sum of squared distances of y from its mean.', 'regr_syy(n, x)', '2.0'),
    aggregate({
      name: 'reservoir_quantile',
      overloads: [
        'x DOUBLE, q DOUBLE -> DOUBLE',
        'x NUMBER, q DOUBLE -> NUMBER',
        'x NUMBER, q DOUBLE, size INTEGER -> NUMBER',
      ],
      isConstant: false,
      description: 'About the value below which the share q of all values is, by a random sample of them.',
      examples: [['reservoir_quantile(x, 0.5)', null]],
    }),
    ofNumbers('sem', 'The standard error of the mean.', 'round(sem(x), 3)', '1.34'),
    ofNumbers('skewness', 'The skewness.', 'round(skewness(x), 3)', '1.206'),
    ofNumbers('stddev_pop', 'The standard deviation of a population.', 'round(stddev_pop(x), 3)', '2.321'),
    ...withNames(
      ofNumbers('stddev_samp', 'The standard deviation of a sample.', 'round(stddev_samp(x), 3)', '2.843'),
      'stddev',
    ),
    aggregate({
      name: 'var',
      overloads: ['x DOUBLE -> DOUBLE'],
      form: alias('var_samp'),
      description: 'The same as `var_samp`.',
      examples: [['var(x)', '8.083333333333334']],
    }),
    ofNumbers('var_pop', 'The variance of a population.', 'round(var_pop(x), 3)', '5.389'),
    ...withNames(
      ofNumbers('var_samp', 'The variance of a sample.', 'var_samp(x)', '8.083333333333334'),
      'variance',
    ),
  ],
})
