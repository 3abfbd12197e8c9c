import type { OperatorProfile } from '../../plan/statement/operator-profile.ts'
import { run } from './database.ts'
import type { Duck } from './instance.ts'

/** Has DuckDB measure all statements of a connection from now on. It must be called before the settings are locked. */
export function profileStatements(duck: Duck, connection: number): void {
  run(duck, connection, "SET SESSION enable_profiling = 'no_output'")
}

/** What was measured of the last statement of a connection, which has ended. Null: its statements are not measured. */
export function lastProfile(duck: Duck, connection: number): OperatorProfile | null {
  const query = duck.api.duckdb_get_profiling_info(connection)
  const [root] = query === 0 ? [] : childrenOf(duck, query)
  return root ?? null
}

function childrenOf(duck: Duck, info: number): readonly OperatorProfile[] {
  const { api } = duck
  const count = Number(api.duckdb_profiling_info_get_child_count(info))
  return Array.from({ length: count }, (_, index) => {
    const child = api.duckdb_profiling_info_get_child(info, BigInt(index))
    return {
      name: metricOf(duck, child, 'OPERATOR_NAME').trim(),
      rows: Number(metricOf(duck, child, 'OPERATOR_CARDINALITY')),
      us: Math.round(Number(metricOf(duck, child, 'OPERATOR_TIMING')) * 1e6),
      children: childrenOf(duck, child),
    }
  })
}

/** A metric as text. Empty: it was not measured. */
function metricOf(duck: Duck, info: number, name: string): string {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const value = api.duckdb_profiling_info_get_value(info, scratch.text(name))
  if (value === 0) return ''
  try {
    return memory.takeText(api.duckdb_get_varchar(value))
  } finally {
    duck.destroy('duckdb_destroy_value', value)
  }
}
