import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'

type Headers = Readonly<Record<string, string>>

/** A client of the SDK that is connected to a service. */
export interface McpClient {
  readonly client: Client
  /** All tools, of all pages. */
  tools(): Promise<ListToolsResult['tools']>
  call(name: string, args?: Record<string, unknown>): Promise<ToolText>
  /** What a tool answers, which must be JSON. Throws if it is a failure. */
  json(name: string, args?: Record<string, unknown>): Promise<unknown>
}

interface ToolText {
  /** The texts of its parts. */
  readonly texts: readonly string[]
  readonly isError: boolean
  readonly queryId: unknown
}

export async function connect(t: Test, url: string, headers: Headers = {}): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  // The transport declares members as absent or undefined, where the client has them absent.
  await client.connect(transport as Parameters<Client['connect']>[0])
  t.teardown(() => client.close())
  async function call(name: string, args: Record<string, unknown> = {}): Promise<ToolText> {
    const {
      content,
      isError = false,
      _meta,
    } = (await client.callTool({
      name,
      arguments: args,
    })) as CallToolResult
    const texts = content.map((part) => (part.type === 'text' ? part.text : part.type))
    return { texts, isError, queryId: _meta?.['query_id'] }
  }
  return {
    client,
    call,
    async json(name, args) {
      const { texts, isError } = await call(name, args)
      if (isError) throw new Error(texts.join(' '))
      return JSON.parse(texts[0] ?? '')
    },
    async tools() {
      const all: ListToolsResult['tools'] = []
      let cursor: string | undefined
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor })
        all.push(...page.tools)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return all
    },
  }
}

export const ACCEPT = 'application/json, text/event-stream'

/** An answer to a message that was sent without the SDK. */
export interface Posted {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

/** Sends a body as it is. */
export async function postMessage(url: string, body: unknown, headers: Headers = {}): Promise<Posted> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

/** The message that calls a tool. */
export function toolMessage(name: string, args: unknown, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}
