import type { LogicalType } from '../../../../wasm/duckdb/logical-type.ts'

export const VARCHAR: LogicalType = Object.freeze({ kind: 'varchar' })
export const BLOB: LogicalType = Object.freeze({ kind: 'blob' })
export const BOOLEAN: LogicalType = Object.freeze({ kind: 'boolean' })
export const DOUBLE: LogicalType = Object.freeze({ kind: 'double' })
export const BIGINT: LogicalType = Object.freeze({ kind: 'bigint' })
export const INTEGER: LogicalType = Object.freeze({ kind: 'integer' })
export const TIME: LogicalType = Object.freeze({ kind: 'time' })
export const TIMESTAMP: LogicalType = Object.freeze({ kind: 'timestamp' })
