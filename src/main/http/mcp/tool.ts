import type { Caller } from '../../auth/caller.ts'
import type { Members } from '../../json/shape.ts'

/** What a model may call, by its name. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** What it does, for the model. */
  readonly description: string
  /** The arguments as JSON Schema. They are checked by the tool itself, with messages that say what to write instead. */
  readonly inputSchema: ObjectSchema
  /** Throws `ServiceError`, and `invalid_query` for wrong arguments. */
  call(args: Members, call: ToolCall): Promise<ToolAnswer>
}

/** JSON Schema of an object. */
interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly type: 'object'
  readonly properties: Record<string, object>
  readonly required?: string[]
  readonly additionalProperties: false
}

/** On whose behalf a tool is called. */
export interface ToolCall {
  readonly caller: Caller
  /** Whether the caches may be used. */
  readonly caching: boolean
  /** Where the client has reached the service, such as `localhost:5001`. */
  readonly host: string
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
}

export interface ToolAnswer {
  readonly text: string
  /** What in the files looks as if something else was meant. Null: nothing. */
  readonly notice: string | null
  /** The query that was run for it, whose metrics may be asked for. Null: none. */
  readonly queryId: string | null
}

/** The answer of a tool that runs no query. */
export function textAnswer(text: string): ToolAnswer {
  return { text, notice: null, queryId: null }
}
