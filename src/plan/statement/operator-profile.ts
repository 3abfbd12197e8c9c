/** What DuckDB has measured of an operator of a statement, by the name that EXPLAIN prints. */
export interface OperatorProfile {
  readonly name: string
  /** The rows that it has given to the operator above. */
  readonly rows: number
  /** Its time without the operators below it. Whole microseconds. */
  readonly us: number
  readonly children: readonly OperatorProfile[]
}

/** The profile of a statement that has run in two parts, whose plans are the same. */
export function addProfiles(
  left: OperatorProfile | null,
  right: OperatorProfile | null,
): OperatorProfile | null {
  if (left === null || right === null) return left ?? right
  return {
    name: left.name,
    rows: left.rows + right.rows,
    us: left.us + right.us,
    children: left.children.flatMap(
      (child, index) => addProfiles(child, right.children[index] ?? null) ?? [],
    ),
  }
}
