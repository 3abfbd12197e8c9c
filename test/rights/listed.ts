import type { EnforcedService } from './enforced.ts'

/** What each door tells of the tables that there are. */
export async function listed(
  service: EnforcedService,
  names: readonly string[],
  headers: Readonly<Record<string, string>> = {},
) {
  const json = async (path: string) => JSON.parse((await service.ask(path, { headers })).text)
  const { catalogs } = await json('/api/catalogs')
  const columns = await json('/api/tables-with-schema')
  const schemas = await Promise.all(
    names.map(
      async (name) => (await service.ask(`/api/table-schema?table_name=${name}`, { headers })).status,
    ),
  )
  return {
    tables: await json('/api/tables'),
    withSchema: columns.map(({ table_name }: { table_name: string }) => table_name),
    inCatalogs: catalogs.flatMap(({ schemas }: { schemas: { name: string; tables: { name: string }[] }[] }) =>
      schemas.flatMap(({ name, tables }) => (name === 'public' ? tables.map((table) => table.name) : [])),
    ),
    catalogs: catalogs.length,
    withColumns: names.filter((_, index) => schemas[index] === 200),
    statuses: [...new Set(schemas)].toSorted(),
    count: (await json('/api/info')).table_count,
  }
}

/** The names that may be read, by reading each. */
export async function readable(
  service: EnforcedService,
  names: readonly string[],
  headers = {},
): Promise<readonly string[]> {
  const statuses = await Promise.all(
    names.map(async (name) => {
      const { status, text } = await service.asked({ sql: `DESCRIBE "${name}"` }, headers)
      return status === 200 || !text.includes('permission denied')
    }),
  )
  return names.filter((_, index) => statuses[index])
}
