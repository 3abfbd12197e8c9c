/** What a statement or request names: some columns, or all of them. */
export type Named = ReadonlySet<string> | 'all'

/** The columns that a statement over one source names. `names` are those of the source, which the statement quotes. */
export function namedInSql(sql: string, names: Iterable<string>): Named {
  if (/SELECT (t\.)?\*/.test(sql)) return 'all'
  const known = new Set(names)
  const quoted = sql.match(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g) ?? []
  const found = quoted
    .filter((each) => each.startsWith('"'))
    .map((each) => each.slice(1, -1).replaceAll('""', '"'))
  return new Set(found.filter((name) => known.has(name)))
}

type Json = Readonly<Record<string, unknown>>

/** Members of a filter that name a column of the answer or, if there is none of that name, of the source. */
const NAMING = [
  'column',
  'for_query_parameter',
  'longitude_column',
  'latitude_column',
  'longitude_query_parameter',
  'latitude_query_parameter',
]

/** The columns of the source that a request of the JSON language names. Its entries call no functions. */
export function namedInJson(request: Json): ReadonlySet<string> {
  const select = (request['select'] ?? []) as readonly (string | Json)[]
  const outputs = new Map(
    select.map((entry) =>
      typeof entry === 'string'
        ? [entry, entry]
        : [String(entry['alias'] ?? entry['column']), entry['column'] as string | undefined],
    ),
  )
  const found = new Set([...outputs.values()].flatMap((name) => name ?? []))
  const add = (name: string): void => {
    if (!outputs.has(name)) found.add(name)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return
    for (const [key, member] of Object.entries(value)) {
      if (NAMING.includes(key)) add(String(member))
      else visit(member)
    }
  }
  visit(request['filter'])
  visit(request['filters'])
  for (const { Asc, Desc } of (request['sort_by'] ?? []) as readonly { Asc?: string; Desc?: string }[])
    add(Asc ?? Desc ?? '')
  return found
}
