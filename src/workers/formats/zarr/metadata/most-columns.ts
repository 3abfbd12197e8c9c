import { ServiceError } from '../../../../plan/errors.ts'

/** The most columns of a group. Main keeps the schema of each, some 200 bytes a column. */
const MAX_COLUMNS = 65_536

/** Throws `memory_limit` for more arrays and attributes than the columns that a group may have. */
export function requireFewColumns(columns: number): void {
  if (columns > MAX_COLUMNS)
    throw new ServiceError(
      'memory_limit',
      `it has ${columns} arrays and attributes, of which at most ${MAX_COLUMNS} can be columns`,
    )
}
