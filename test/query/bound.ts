import { parseJson } from '../../src/main/json/json.ts'
import { bind } from '../../src/main/query/bind/bind.ts'
import { type JsonRequest, parseRequest, type QueryRequest } from '../../src/main/query/request/request.ts'
import { isScan, type ScanJson } from '../../src/main/query/request/scan-json.ts'
import type { Condition } from '../../src/plan/condition/condition.ts'
import { type Test, testOf } from '../../src/plan/condition/test.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { PARQUET } from '../formats/product.ts'

const OBS = { relation: 'obs', format: PARQUET, files: [] }

export function parse(json: string): QueryRequest {
  return parseRequest(parseJson(json), FORMATS)
}

/** A request in the JSON language. */
export function parseQuery(json: string): JsonRequest {
  const request = parse(json)
  if (request.kind !== 'json') throw new TypeError('a statement')
  return request
}

/** A request that is one scan. */
export function parseScan(json: string): ScanJson {
  const request = parseQuery(json)
  if (!isScan(request)) throw new TypeError('a statement')
  return request
}

/** The plan of a request over the source `obs` with these columns. */
export function planOf(request: unknown, columns: Readonly<Record<string, DataType>>): ScanPlan {
  const fields = Object.entries(columns).map(([name, type]) => field(name, type))
  return bind(parseScan(JSON.stringify(request)), OBS, { fields, metadata: {} })
}

/** The bound filter of a column `c`; `value` may be a raw JSON number. */
export function filterOf(type: DataType, members: Readonly<Record<string, unknown>>): Condition | null {
  return planOf({ select: ['c'], filters: [{ column: 'c', ...members }] }, { c: type }).scan.filter
}

/** The test that the bound filter of a column `c` is. */
export function testIn(type: DataType, members: Readonly<Record<string, unknown>>): Test | null {
  const filter = filterOf(type, members)
  return filter && testOf(filter)
}

/** `code: message` of the ServiceError that `work` throws. */
export function errorOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isServiceError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'no error'
}
