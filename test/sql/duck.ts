import { addZonedNanoseconds } from '../../src/wasm/duckdb/casts/time-casts.ts'
import { type Database, openDatabase } from '../../src/wasm/duckdb/database.ts'
import { instantiateDuck } from '../../src/wasm/duckdb/instance.ts'

/** A database in an instance of its own, with the types that the engines add. */
export async function openDuck(
  options: { memoryBytes?: number; connections?: number } = {},
): Promise<Database> {
  const { memoryBytes = 256 << 20, connections = 2 } = options
  const { duck } = await instantiateDuck({ maximumBytes: 1 << 30, module: null })
  const database = openDatabase(duck, { memoryBytes, connections })
  addZonedNanoseconds(database)
  return database
}
