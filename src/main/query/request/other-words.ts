import { type Members, reject } from '../../json/shape.ts'

const SELECT = 'the columns are "select", as in "select": ["time", "depth"]'
const FROM = 'the source is "from", as in "from": {"parquet": {"paths": ["…"]}}'
const FILTERS = 'conditions are "filters", as in "filters": [{"column": "depth", "gt": 5}]'
const ORDER = 'the order is "sort_by", as in "sort_by": [{"Desc": "time"}]'
const OUTPUT = 'the format of the answer is "output", as in "output": {"format": "csv"}'
const LIMIT = 'the number of rows is "limit", and "offset" leaves out the first ones'
const SQL = 'a statement is "sql", as in {"sql": "SELECT 1"}'
const IN_SQL =
  'it is asked in SQL, as in {"sql": "SELECT platform, avg(depth) FROM read_parquet(\'…\') GROUP BY platform"}'

/** Members that other query languages have, in lower case, and what to write here instead. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ...['columns', 'fields', 'properties', 'variables'].map((word) => [word, SELECT] as const),
  ...['dataset', 'datasets', 'file', 'files', 'path', 'paths', 'source', 'table'].map(
    (word) => [word, FROM] as const,
  ),
  ...['parquet', 'csv', 'arrow'].map((word) => [word, FROM] as const),
  ...['condition', 'conditions', 'predicate', 'where'].map((word) => [word, FILTERS] as const),
  ...['order', 'order_by', 'orderby', 'sort', 'sortby'].map((word) => [word, ORDER] as const),
  ...['file_format', 'format', 'response_format'].map((word) => [word, OUTPUT] as const),
  ...[
    'first',
    'max_rows',
    'page',
    'per_page',
    'row_limit',
    'rows',
    'size',
    'skip',
    'start',
    'take',
    'top',
  ].map((word) => [word, LIMIT] as const),
  // A request with `sql` as it has to be written is not read as one in JSON.
  ...['q', 'query', 'sql', 'statement'].map((word) => [word, SQL] as const),
  ...[
    'aggregate',
    'aggregates',
    'aggregations',
    'aggs',
    'count',
    'group',
    'group_by',
    'groupby',
    'having',
  ].map((word) => [word, IN_SQL] as const),
  ...['join', 'joins', 'union', 'with'].map((word) => [word, IN_SQL] as const),
])

/** Rejects a member that another query language has, and says what to write instead. */
export function rejectOtherWords(members: Members): void {
  for (const key of members.keys()) {
    const instead = OTHER_WORDS.get(key.toLowerCase())
    if (instead !== undefined) reject(key, `unknown member; ${instead}`)
  }
}
