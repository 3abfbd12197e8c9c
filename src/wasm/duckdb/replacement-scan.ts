import type { Database } from './database.ts'

/**
 * From now on a name in place of a table, which DuckDB itself does not know, stands for a call of the function with that name: `FROM a` for
 * `FROM fn('a')`. What comes before a dot is not part of the name.
 */
export function replaceUnknownTables({ duck, handle }: Database, fn: string): void {
  const { api, memory } = duck
  const replace = duck.addCallback(3, (info = 0, name = 0) => {
    using scratch = memory.scratch()
    api.duckdb_replacement_scan_set_function_name(info, scratch.text(fn))
    const value = api.duckdb_create_varchar(name)
    api.duckdb_replacement_scan_add_parameter(info, value)
    duck.destroy('duckdb_destroy_value', value)
  })
  api.duckdb_add_replacement_scan(handle, replace, 0, 0)
}
