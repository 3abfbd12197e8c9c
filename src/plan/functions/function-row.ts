/** What a function computes from: one row, a group of rows, or a row and its window. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window'

/** What a function makes of nulls: null if any argument is null; it leaves such rows out; or it treats null as a value. */
export type Nulls = 'give null' | 'are left out' | 'are values'

interface Parameter {
  readonly name: string
  /** DuckDB's name of a type, or one that stands for several (`SEVERAL_TYPES`). */
  readonly type: string
}

/**
 * Names that stand for several types: for all, for numbers, and for integers. `ANY[]` is a list of any type. A result with such a
 * name has the type of an argument, or the one that DuckDB derives from it.
 */
export const SEVERAL_TYPES = Object.freeze(['ANY', 'NUMBER', 'INTEGRAL'] as const)

/** The arguments that a function takes, and the type of its result. */
export interface Overload {
  readonly parameters: readonly Parameter[]
  /** Whether the last parameter may be given any number of times. */
  readonly isVariadic: boolean
  readonly returns: string
}

/** An overload of a macro. Parameters may have types and defaults, as in `x, format := NULL`. */
export interface MacroOverload {
  readonly parameters: string
  /** An expression of DuckDB. Functions that a macro of the same name hides are called as `system.main.f(x)`. */
  readonly body: string
}

/** How DuckDB comes by a function. */
export type DuckForm =
  /** It has it. */
  | { readonly kind: 'built in' }
  /** It is part of its grammar, so its list of functions does not have it. */
  | { readonly kind: 'syntax' }
  /** A macro is made of it when an engine starts. */
  | { readonly kind: 'macro'; readonly overloads: readonly MacroOverload[] }
  /** It has it under another name. */
  | { readonly kind: 'alias'; readonly of: string }
  /** It has it, and the service adds overloads to it, or replaces them. */
  | { readonly kind: 'overload' }
  /** The engine registers code of the service under this name. */
  | { readonly kind: 'registered' }

/**
 * A call, and the text of its answer as CSV shows it. The text is `NULL` if the answer is null. Answers in several rows are separated
 * by a comma and a space. Null: the answer is not always the same.
 */
export interface Example {
  readonly call: string
  readonly result: string | null
}

/** A function that queries may call. */
export interface FunctionRow {
  /** In lower case. */
  readonly name: string
  readonly kind: FunctionKind
  /** The function of which this is another name. */
  readonly sameAs: string | null
  /** The first one is the one that stands for all where a list has room for one. */
  readonly overloads: readonly Overload[]
  readonly nulls: Nulls
  /** Whether equal arguments always give an equal result. */
  readonly isConstant: boolean
  readonly form: DuckForm
  readonly description: string
  readonly examples: readonly Example[]
}

/** Functions of one kind of values: a section of the page that describes them. */
export interface FunctionFamily {
  readonly title: string
  /** What holds for all of them, in Markdown. */
  readonly about?: string
  /** What the examples read, as it stands behind FROM. Without it, each of them stands alone. */
  readonly from?: string
  readonly rows: readonly FunctionRow[]
}
