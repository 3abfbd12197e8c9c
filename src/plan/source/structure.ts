/** What a file of arrays holds, whether or not it is a column. Plain data, and of bounded size. */
export interface FileStructure {
  readonly groups: readonly GroupStructure[]
  readonly dimensions: readonly DimensionStructure[]
  readonly variables: readonly VariableStructure[]
  /** The dimensions of the rows, for each group that is a table by itself. A file has one, and a Zarr store one for each leaf group. */
  readonly grids: readonly GridStructure[]
  /** How many of each the limits of this listing left out. */
  readonly leftOut: LeftOutCounts
}

export type LeftOutCounts = Readonly<Record<'groups' | 'dimensions' | 'variables' | 'attributes', number>>

export interface GroupStructure {
  /** From `/`, which is the root. */
  readonly path: string
  readonly attributes: readonly AttributeStructure[]
}

export interface StoredDimension {
  /** The path of its group. */
  readonly group: string
  readonly name: string
  readonly size: number
  readonly isUnlimited: boolean
}

export interface DimensionStructure extends StoredDimension {
  /** Whether it is one of the rows. */
  readonly isInGrid: boolean
}

interface GridStructure {
  readonly group: string
  /** The slowest one first. */
  readonly dimensions: readonly string[]
}

/** A variable as it is stored. Members of a compound follow it, each as a variable without attributes. */
export interface StoredVariable {
  /** The path of its group. */
  readonly group: string
  readonly name: string
  /** The type of its elements in the file, such as `int16` or `compound {x: float64}`. */
  readonly type: string
  readonly dimensions: readonly string[]
  readonly shape: readonly number[]
  /** Elements of a chunk along each dimension. Null: it is not stored in chunks. */
  readonly chunk: readonly number[] | null
  /** The same of a shard of Zarr, which has several chunks. Null: there are no shards. */
  readonly shard: readonly number[] | null
  /** In the order in which writing applies them. */
  readonly filters: readonly FilterStructure[]
  readonly attributes: readonly AttributeStructure[]
  /** Why values are not read, as far as this follows from the file. Null: nothing follows from it. */
  readonly note: string | null
}

export interface VariableStructure extends StoredVariable {
  /** Its column in the table of the file. Null: it is none. */
  readonly column: { readonly name: string; readonly type: string } | null
}

export interface FilterStructure {
  readonly name: string
  /** As JSON text: the numbers of a filter of HDF5, the configuration of a codec of Zarr. */
  readonly parameters: string
}

export interface AttributeStructure {
  readonly name: string
  /** The type of its value, such as `string` or `float32`. */
  readonly type: string
  /** The value as JSON text. */
  readonly json: string
  /** The number of characters or values of which `json` has only the first. Absent: it has all. */
  readonly cutFrom?: number
}
