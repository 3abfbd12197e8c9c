import type { Duck } from './instance.ts'

/** Makes the first rows of a vector null. It must not have a nested type, whose members would stay as they are. */
export function fillNulls({ api, memory }: Duck, vector: number, rows: number): void {
  api.duckdb_vector_ensure_validity_writable(vector)
  const validity = api.duckdb_vector_get_validity(vector)
  memory.views().u8.fill(0, validity, validity + Math.ceil(rows / 8))
}
