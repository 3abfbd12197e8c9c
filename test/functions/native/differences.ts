/** Calls that differ from those of native DuckDB 1.5.6, and why. A key is the beginning of a call. */
export const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ['array_to_string(', 'of an empty list it is an empty text in 1.5, null in 1.4'],
  [
    'date_sub(part, TIMESTAMP WITH',
    'ICU counts by the Julian calendar before 1582, and leaves out microseconds',
  ],
  ['date_trunc(', 'keeps the unit of its argument; DuckDB makes a TIMESTAMP or a DATE of it'],
  ['datesub(part, TIMESTAMP WITH', 'as date_sub'],
  ['datetrunc(', 'as date_trunc'],
  ['editdist3(', 'as levenshtein'],
  ['factorial(', '1.5 makes an error of a negative number, 1.4 has 1'],
  ['levenshtein(', 'counts characters, as in DataFusion; DuckDB counts bytes'],
  ['timezone(zone, TIMESTAMP_NS)', 'keeps nanoseconds; DuckDB makes microseconds of them'],
  ['to_hex(', 'writes lower case, as in DataFusion'],
])

/** Functions that are not called with the values of columns, and why. */
export const UNTRIED: ReadonlyMap<string, string> = new Map([
  ['coalesce_label', 'its labels are constants, each behind its value'],
  ['extract', 'it is written with FROM; date_part is the same function'],
  ['make_timestamptz', 'its macro mentions arguments twice, so that DuckDB computes them outside of TRY'],
  [
    'to_unixtime',
    'as make_timestamptz; test/functions/times/times-are-made-of-texts-and-numbers.test.ts has it',
  ],
])
