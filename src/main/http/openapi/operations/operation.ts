/** What the OpenAPI document says of an operation besides what its route says. */
export interface Operation {
  /** Example requests by name. A test sends each and compares the answer with the example of the same name. */
  readonly requests: Readonly<Record<string, RequestExample>>
  /** By status. */
  readonly answers: Readonly<Record<string, AnswerDescription>>
}

export interface RequestExample {
  readonly summary: string
  readonly body?: unknown
  /** Values of parameters, by their names. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>
  /** Whether it asks for files of the sample. Left out of the document where the service has no sample. */
  readonly isOfSample?: boolean
}

export interface AnswerDescription {
  readonly description: string
  readonly headers?: Readonly<Record<string, object>>
  readonly links?: Readonly<Record<string, object>>
  /** By media type. Absent: the answer has no body. */
  readonly content?: Readonly<Record<string, Content>>
}

interface Content {
  readonly schema: object
  /** Example answers, by the names of their requests. Bytes that are no text have none. */
  readonly examples?: Readonly<Record<string, unknown>>
}

/** An answer of one media type. */
export function answer(
  description: string,
  type: string,
  schema: object,
  examples: Readonly<Record<string, unknown>> = {},
): AnswerDescription {
  return { description, content: { [type]: { schema, examples } } }
}

export function jsonAnswer(
  description: string,
  schema: object,
  examples: Readonly<Record<string, unknown>> = {},
): AnswerDescription {
  return answer(description, 'application/json', schema, examples)
}

/** An error as a JSON string: of a query route, or found before a route's handler. */
export function errorAnswer(description: string, examples: Readonly<Record<string, string>> = {}) {
  return jsonAnswer(description, { type: 'string' }, examples)
}

/** An error that the handler of another route has found: plain text. */
export function plainErrorAnswer(description: string, examples: Readonly<Record<string, string>>) {
  return answer(description, 'text/plain', TEXT, examples)
}

/** An error of such a route that has parameters: a JSON string if one of them cannot be read, else plain text. */
export function parameterErrorAnswer(
  description: string,
  examples: {
    readonly json?: Readonly<Record<string, string>>
    readonly plain?: Readonly<Record<string, string>>
  },
): AnswerDescription {
  const content = {
    'application/json': { schema: TEXT, examples: examples.json ?? {} },
    'text/plain': { schema: TEXT, examples: examples.plain ?? {} },
  }
  return { description, content }
}

export const TEXT = { type: 'string' } as const
export const TEXT_OR_NULL = { type: ['string', 'null'] } as const
export const INTEGER = { type: 'integer' } as const
export const BOOLEAN = { type: 'boolean' } as const
export const OBJECT = { type: 'object' } as const

export function listOf(items: object) {
  return { type: 'array', items } as const
}

export function objectOf(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties } as const
}

export const TEXTS = listOf(TEXT)

/** The answers of routes that anybody may call who has no wrong credentials. */
export const CLIENT_ERRORS = {
  401: { description: 'Wrong credentials; without a body' },
} as const

/** The answers to bodies that are no query. */
export const BODY_ERRORS = {
  413: errorAnswer('The body has more than 2 MiB'),
  415: errorAnswer('The media type of the body is not JSON'),
  422: errorAnswer('The body is JSON, but not an object'),
} as const

const RETRY_AFTER = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } } as const

/** The answers of query routes that open files. */
export const UNAVAILABLE_ERRORS = {
  503: {
    ...errorAnswer('Too many queries are open, or a disk is full or does not answer; ask again later'),
    headers: RETRY_AFTER,
  },
} as const

/** The answers of other routes that look at the dataset root. */
export const LOOKING_ERRORS = {
  ...CLIENT_ERRORS,
  503: {
    ...plainErrorAnswer(
      'Too many queries are open, or a network file system does not answer; ask again later',
      {},
    ),
    headers: RETRY_AFTER,
  },
} as const

/** The answers of routes that only the super-user may call. */
export const ADMIN_ERRORS = {
  401: { description: 'No credentials, or wrong ones; without a body' },
  403: { description: 'The credentials of another user; without a body' },
} as const
