import type {
  GroupStructure,
  LeftOutCounts,
  StoredDimension,
  StoredVariable,
} from '../../../../plan/source/structure.ts'

/** What a reader finds in a file, before it is known what of it is a column. */
export interface StoredStructure {
  readonly groups: readonly GroupStructure[]
  readonly dimensions: readonly StoredDimension[]
  readonly variables: readonly FoundVariable[]
  readonly leftOut: LeftOutCounts
}

/** A variable, and where its values are. */
export interface FoundVariable extends StoredVariable {
  /** The group that is a table, and the name of its array there. Null: it is no array. */
  readonly array: { readonly group: string; readonly name: string } | null
}
