/** Words that other readers have for the options of files, in lower case, and the option that each of them means. */
const OPTION_WORDS: ReadonlyMap<string, string> = new Map([
  ...['file', 'files', 'glob', 'path'].map((word) => [word, 'paths'] as const),
  ...['delim', 'field_delimiter', 'sep', 'separator'].map((word) => [word, 'delimiter'] as const),
  ...['missing', 'na_values', 'null', 'null_values', 'nullstr', 'nulls'].map((word) => [word, 'na'] as const),
  ...['decimal_point', 'decimal_separator'].map((word) => [word, 'decimal'] as const),
  ...['columns', 'column_types', 'dtype', 'dtypes', 'schema', 'type'].map((word) => [word, 'types'] as const),
  ...['names', 'column_names', 'has_header'].map((word) => [word, 'header'] as const),
  ...['skip_lines', 'skip_rows', 'skiprows'].map((word) => [word, 'skip'] as const),
  ...['comment_char', 'comment_prefix', 'comments'].map((word) => [word, 'comment'] as const),
  ...['escape', 'quote_char', 'quotechar'].map((word) => [word, 'quote'] as const),
  ...['date_formats', 'dateformat', 'timestamp_format', 'timestampformat'].map(
    (word) => [word, 'date_format'] as const,
  ),
  ...['charset', 'codepage'].map((word) => [word, 'encoding'] as const),
  ...['infer_schema_length', 'sample_size'].map((word) => [word, 'infer_records'] as const),
  ...['hive', 'partitioning'].map((word) => [word, 'hive_partitioning'] as const),
  ...['file_name', 'include_file_paths'].map((word) => [word, 'filename'] as const),
])

/** The option among `options` that a word of another reader means. Null: none. */
export function optionMeant(word: string, options: readonly string[]): string | null {
  const option = OPTION_WORDS.get(word.toLowerCase())
  return option !== undefined && options.includes(option) ? option : null
}
