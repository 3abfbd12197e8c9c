import t from 'tap'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { startTestService } from '../e2e/service.ts'

/** The functions that clients may rely on. */
const AGGREGATES = `
  count sum avg min max stddev variance median approx_percentile_cont approx_distinct approx_median array_agg
  bit_and bit_or bit_xor bool_and bool_or corr covar covar_pop covar_samp first_value last_value nth_value
  regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy string_agg
  var var_pop var_samp stddev_pop stddev_samp`

const SCALARS = `
  abs acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh cot degrees exp factorial floor gcd isnan
  iszero lcm ln log log10 log2 nanvl pi pow power radians random round signum sin sinh sqrt tan tanh trunc
  ascii bit_length btrim char_length character_length chr concat concat_ws contains ends_with find_in_set
  initcap instr left length levenshtein lower lpad ltrim octet_length overlay position repeat replace reverse
  right rpad rtrim split_part starts_with strpos substr substr_index substring substring_index to_hex
  translate trim upper uuid regexp_count regexp_instr regexp_like regexp_match regexp_replace encode decode
  current_date current_time current_timestamp today now date_bin date_trunc datetrunc date_part datepart
  extract date_format to_char to_date to_time to_timestamp to_timestamp_seconds to_timestamp_millis
  to_timestamp_micros to_timestamp_nanos from_unixtime to_unixtime to_local_time make_date make_time
  coalesce nullif greatest least nvl nvl2 ifnull arrow_cast arrow_typeof service_version try_arrow_cast
  cast_int8_as_char coalesce_label`

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

t.test('each function of the contract is a row of the table', async (t) => {
  for (const name of wordsOf(AGGREGATES)) t.equal(FUNCTIONS.get(name)?.kind, 'aggregate', name)
  for (const name of wordsOf(SCALARS)) t.equal(FUNCTIONS.get(name)?.kind, 'scalar', name)
})

t.test('JSON says of aggregates and windows that SQL has them', async (t) => {
  const { query } = await startTestService(t)
  for (const { name, kind } of FUNCTIONS.values()) {
    if (kind === 'scalar') continue
    const select = [{ function: name, args: [{ value: 1 }], alias: 'a' }]
    const response = await query({ select })
    t.equal(response.status, 400, name)
    const message = await response.text()
    t.match(message, new RegExp(`select\\[0\\]\\.function: \\\\"${name}\\\\" .* is asked in SQL`), message)
  }
})
