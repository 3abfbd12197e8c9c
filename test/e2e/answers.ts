import type { TestService } from './service.ts'

/** The value of each column of a row, as in JSON. */
export type Row = Readonly<Record<string, unknown>>

/** Answers of a service as values. Each function throws if the status is another one. */
export interface Answers {
  rowsOf(body: object): Promise<readonly Row[]>
  /** The only value of a statement's first row. */
  scalarOf(sql: string): Promise<unknown>
  /** The text of a 400, with plain quotes. */
  failure(body: object): Promise<string>
}

export function answersOf({ query }: Pick<TestService, 'query'>): Answers {
  async function rowsOf(body: object): Promise<readonly Row[]> {
    const response = await query({ ...body, output: { format: 'ndjson' } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as Row)
  }
  return {
    rowsOf,
    async scalarOf(sql) {
      const [row] = await rowsOf({ sql })
      return Object.values(row ?? {})[0]
    },
    async failure(body) {
      const response = await query(body)
      const text = await response.text()
      if (response.status !== 400) throw new Error(`${response.status}: ${text.slice(0, 200)}`)
      return text.replaceAll('\\"', '"')
    },
  }
}
