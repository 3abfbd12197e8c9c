import type { FilePlan } from '../../plan/output/file-plan.ts'
import type { Encoding } from '../../plan/task/encoding.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Delivered } from './body.ts'
import type { Delivery, Files } from './deliver.ts'

/** A format of answers: all that differs between them, for requests, planning, workers, delivery and HTTP. */
export interface OutputFormat<O> {
  /** The names by which `output.format` asks for it. None: it is the answer to a request without `output`. */
  readonly names: readonly string[]
  readonly contentType: string
  /** The file name for downloads. Null: none, so that a browser shows the answer. */
  readonly fileName: string | null
  /** Whether a column can have only one dictionary in the whole answer. */
  readonly hasOneDictionary: boolean
  /** What a request says besides the name. Null: nothing. */
  readonly options: OutputOptionsForm<O> | null
  /**
   * How an answer of certain columns is made in this format. Throws `not_supported` for a column that the format has no form for, and
   * other errors of the request, before a row is read.
   */
  prepare(schema: Schema, options: O, settings: OutputSettings): PreparedOutput
}

/** The options of a format, as a request has them in an object: `{"format": {"odv": {…}}}`. */
export interface OutputOptionsForm<O> {
  /** The object as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Whether the object has members that must be given. If not, the name alone asks for the format too. */
  readonly areRequired: boolean
  /** Reads the object. Throws `invalid_query`, which names the member. `path` is the JSON path of the object. */
  read(value: unknown, path: string): O
}

/** An answer of certain columns in a format. */
export interface PreparedOutput {
  /** How its rows become a file, for EXPLAIN. Null: they are sent as they are encoded. */
  readonly file: FilePlan | null
  /** How workers encode rows. */
  readonly encoding: Encoding
  deliver(delivery: Delivery, files: Files): Promise<Delivered>
}

/** What the settings of the service say of answers. */
export interface OutputSettings {
  readonly compression: ArrowCompression
  /** The most bytes of the values of a gridded file. */
  readonly maxGridBytes: number
}

/** How the bodies of Arrow messages are compressed. */
export type ArrowCompression = 'none' | 'lz4' | 'zstd'
