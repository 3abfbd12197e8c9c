import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { readMembers } from '../../json/shape.ts'
import { VERSION } from '../../settings/version.ts'
import type { ShownError } from '../errors.ts'
import type { Services } from '../services.ts'
import { WHAT_IT_DOES } from '../what-it-does.ts'
import type { Tool, ToolAnswer, ToolCall } from './tool.ts'
import { createToolbox } from './toolbox.ts'

/** A message of JSON-RPC that is not checked yet, and the headers that it came with. */
interface ReceivedMessage {
  readonly message: object
  readonly headers: Headers
}

/** Answers one message. `shown`: what its client may see of an error. */
export type MessageHandler = (
  received: ReceivedMessage,
  call: ToolCall,
  shown: (error: unknown) => ShownError,
) => Promise<Response>

/** The most tools on a page of the list, and the most bytes of them as JSON. One tool is on a page in any case. */
const PAGE_TOOLS = 100
const PAGE_BYTES = 256 << 10

/** Nothing is asked of clients whose answers would have to be checked, so none of the SDK's validators is made for each message. */
const NO_VALIDATOR = {
  getValidator: () => () => ({
    valid: false as const,
    data: undefined,
    errorMessage: 'Nothing is asked of clients.',
  }),
}

/**
 * Answers messages of the Model Context Protocol without state: each by a server of its own, which knows of no other message. Only this
 * file loads the SDK, and it is loaded with the first message.
 */
export function createMessageHandler(services: Services): MessageHandler {
  const { config } = services
  const toolbox = createToolbox(services)
  const instructions = `${WHAT_IT_DOES} Begin with list_tables and describe_table. Answers have few rows: aggregate in the query rather than in your head, and leave whole results to export_query. Everything is read-only.`

  async function listTools(cursor: string | undefined, call: ToolCall): Promise<ListToolsResult> {
    const first = cursor === undefined ? 0 : /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN
    if (Number.isNaN(first))
      throw new McpError(ErrorCode.InvalidParams, 'The cursor is none that this list has given.')
    const all = await toolbox.list(call)
    const page: ListToolsResult['tools'] = []
    let bytes = 0
    for (const tool of all.slice(first, first + PAGE_TOOLS)) {
      const described = describeTool(tool)
      bytes += JSON.stringify(described).length
      if (page.length > 0 && bytes > PAGE_BYTES) break
      page.push(described)
    }
    const next = first + page.length
    return { tools: page, ...(next < all.length && { nextCursor: String(next) }) }
  }

  async function callTool(
    name: string,
    args: unknown,
    call: ToolCall,
    shown: (error: unknown) => ShownError,
  ): Promise<CallToolResult> {
    const tool = await toolbox.find(name, call)
    if (tool === null)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(name.slice(0, SHOWN))}; tools/list names all.`,
      )
    try {
      return resultOf(await tool.call(readMembers(args ?? {}, 'arguments'), call))
    } catch (error) {
      // Of a run that several calls share the error is another one.
      return failure(shown(call.signal.aborted ? call.signal.reason : error))
    }
  }

  return async ({ message, headers }, call, shown) => {
    const server = new Server(
      { name: config.name, version: VERSION },
      { capabilities: { tools: {} }, instructions, jsonSchemaValidator: NO_VALIDATOR },
    )
    /** An error of looking tools up is the service's own. */
    const reported = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work
      } catch (error) {
        throw error instanceof McpError ? error : new McpError(ErrorCode.InternalError, shown(error).message)
      }
    }
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
      reported(listTools(params?.cursor, call)),
    )
    server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
      reported(callTool(params.name, params.arguments, call, shown)),
    )
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return transport.handleRequest(new Request(ANY_URL, { method: 'POST', headers }), { parsedBody: message })
  }
}

/** A request of the platform has to have a URL, which nothing reads. */
const ANY_URL = 'http://localhost/mcp'

/** The most characters of a name that a message quotes. */
const SHOWN = 100

function describeTool({ name, title, description, inputSchema }: Tool): ListToolsResult['tools'][number] {
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  return { name, title, description, inputSchema, annotations }
}

function resultOf({ text, notice, queryId }: ToolAnswer): CallToolResult {
  return {
    content: [text, ...(notice === null ? [] : [`Notice: ${notice}`])].map((each) => ({
      type: 'text',
      text: each,
    })),
    ...(queryId !== null && { _meta: { query_id: queryId } }),
  }
}

function failure({ message, kind }: ShownError): CallToolResult {
  const again = kind.retrySecs === undefined ? '' : ` Try again in ${kind.retrySecs} s.`
  return { isError: true, content: [{ type: 'text', text: message + again }] }
}
