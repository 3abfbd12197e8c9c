import type { Database } from '../database.ts'

/**
 * Makes DuckDB replace a table name that it does not know by a call of the table function whose name `fn` returns: `FROM a` becomes
 * `FROM fn('a')`. Of a qualified name the function gets only the last part.
 */
export function replaceUnknownTables({ duck, handle }: Database, fn: () => string): void {
  const { api, memory } = duck
  const replace = duck.addCallback(3, (info = 0, name = 0) => {
    using scratch = memory.scratch()
    api.duckdb_replacement_scan_set_function_name(info, scratch.text(fn()))
    const value = api.duckdb_create_varchar(name)
    api.duckdb_replacement_scan_add_parameter(info, value)
    duck.destroy('duckdb_destroy_value', value)
  })
  api.duckdb_add_replacement_scan(handle, replace, 0, 0)
}
