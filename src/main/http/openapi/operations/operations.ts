import { CRAWLER_OPERATIONS } from './crawler-operations.ts'
import { DATASET_FILE_OPERATIONS } from './dataset-file-operations.ts'
import { DATASET_OPERATIONS } from './dataset-operations.ts'
import { EXTERNAL_TABLE_OPERATIONS } from './external-table-operations.ts'
import { FUNCTION_OPERATIONS } from './function-operations.ts'
import type { Operation } from './operation.ts'
import { QUERY_OPERATIONS } from './query-operations.ts'
import { runOperations } from './run-query.ts'
import { systemOperations } from './system-operations.ts'
import { tableOperations } from './table-operations.ts'

/** All operations of the document by their ids, which the routes name. */
export function operationsOf(name: string): Readonly<Record<string, Operation>> {
  return {
    ...runOperations(name),
    ...QUERY_OPERATIONS,
    ...DATASET_OPERATIONS,
    ...tableOperations(name),
    ...FUNCTION_OPERATIONS,
    ...systemOperations(name),
    ...EXTERNAL_TABLE_OPERATIONS,
    ...CRAWLER_OPERATIONS,
    ...DATASET_FILE_OPERATIONS,
  }
}
