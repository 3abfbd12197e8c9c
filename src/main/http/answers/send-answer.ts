import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { freeMemory } from '../../../plan/free-memory.ts'
import type { Answers, StreamedAnswer } from '../../answers/answers.ts'
import { type ContentCoding, codedStream } from '../../answers/content-coding.ts'
import { shortTag, type WholeAnswer } from '../../answers/whole-answer.ts'
import { join, lengthOf } from '../../output/body.ts'
import type { RunningQuery } from '../../query/run/service.ts'
import { type Config, noticeHeader, queryIdHeader } from '../../settings/config.ts'
import { isArrow, preferredCoding } from './accept-encoding.ts'
import { type ByteRange, byteRange, mayBeInParts } from './byte-range.ts'
import { addVary } from './cache-control.ts'

/** Sends answers (docs/reference/http.md), under a content coding if the client accepts one and it makes them shorter. */
export interface AnswerSender {
  /** Sends an answer with its entity tag, or what a GET asks for: 304 if it names this tag, or a range of the bytes. */
  whole(request: FastifyRequest, reply: FastifyReply, key: string, answer: WholeAnswer): Promise<FastifyReply>
  /** Sends an answer as it is made. One whose size is known is a file, and has its tag too. */
  stream(request: FastifyRequest, reply: FastifyReply, answer: StreamedAnswer): FastifyReply
  /** Whether the request says that the client has the answer of a tag and media type. */
  isKnown(request: FastifyRequest, tag: string, contentType: string): boolean
}

export function createAnswerSender(
  config: Pick<Config, 'name' | 'ipcCompression'>,
  answers: Pick<Answers, 'coded'>,
): AnswerSender {
  const idHeader = queryIdHeader(config.name)
  const noticesHeader = noticeHeader(config.name)

  /** A part of coded bytes cannot be decoded alone. It is of use only to a client that has the rest, and names its tag. */
  function codingOf({ method, headers }: FastifyRequest, contentType: string): ContentCoding | null {
    const isPart = method === 'GET' && headers.range !== undefined && headers['if-range'] === undefined
    if (isPart) return null
    const isCompressed = config.ipcCompression !== 'none' && isArrow(contentType)
    return isCompressed ? null : preferredCoding(headers['accept-encoding'], contentType)
  }

  /** The tag that the request names of those that an answer may have: with its coding, or without if that makes it no shorter. */
  function matchTag(request: FastifyRequest, tag: string, contentType: string): string | null {
    const header = request.headers['if-none-match']
    // An asterisk is the tag of any answer, of which it takes running the query to know that there is one.
    if (request.method === 'POST' || header === undefined || header.trim() === '*') return null
    const tags = [quote(tag, codingOf(request, contentType)), quote(tag, null)]
    return tags.find((each) => isMatched(header, each)) ?? null
  }

  function head(
    { method }: FastifyRequest,
    reply: FastifyReply,
    { id, notice }: Pick<RunningQuery, 'id' | 'notice'>,
  ): void {
    reply.header(idHeader, id)
    if (notice !== null) reply.header(noticesHeader, asciiText(notice))
    addVary(reply, 'authorization, accept-encoding')
    if (method !== 'POST') reply.header('cache-control', 'no-cache')
  }

  return {
    isKnown: (request, tag, contentType) => matchTag(request, tag, contentType) !== null,
    async whole(request, reply, key, identity) {
      const { method, headers } = request
      const coding = codingOf(request, identity.contentType)
      const answer = coding === null ? identity : await answers.coded(key, identity, coding)
      const tag = `"${answer.tag}"`
      head(request, reply, answer)
      reply.header('etag', tag)
      if (method !== 'POST' && isMatched(headers['if-none-match'], tag)) return reply.code(304).send()
      if (method !== 'POST') reply.header('accept-ranges', 'bytes')
      const isRange = method === 'GET' && mayBeInParts(headers['if-range'], tag)
      const size = lengthOf(answer.chunks)
      const range = isRange ? byteRange(headers.range, size) : null
      if (range === 'beyond') throw beyond(reply, size)
      describe(reply, answer)
      if (answer.coding !== null) reply.header('content-encoding', answer.coding)
      if (answer.isUnshared) reply.raw.once('finish', () => answer.chunks.forEach(freeMemory))
      return range === null
        ? sendChunks(request, reply, answer.chunks)
        : sendRange(reply, answer.chunks, size, range)
    },
    stream(request, reply, answer) {
      const { stream } = answer
      const coding = codingOf(request, answer.contentType)
      head(request, reply, answer)
      if (answer.isUnchanged && answer.tag !== null) {
        stream.destroy()
        const matchedTag = matchTag(request, answer.tag, answer.contentType)
        return reply
          .code(304)
          .header('etag', matchedTag ?? quote(answer.tag, coding))
          .send()
      }
      if (answer.tag !== null && answer.size !== null) reply.header('etag', quote(answer.tag, coding))
      describe(reply, answer)
      if (coding !== null) reply.header('content-encoding', coding)
      else if (answer.size !== null) reply.header('content-length', answer.size)
      if (request.method === 'HEAD') {
        stream.destroy()
        return reply.send()
      }
      return reply.send(coding === null ? stream : codedStream(stream, coding))
    },
  }
}

/** The tag of an answer that is coded as it is sent. */
function quote(tag: string, coding: ContentCoding | null): string {
  return coding === null ? `"${shortTag(tag)}"` : `"${shortTag(tag)}-${coding}"`
}

/** Sends chunks in one system call, without joining them: that would take as long as sending them. */
function sendChunks(
  { method }: FastifyRequest,
  reply: FastifyReply,
  chunks: readonly Buffer[],
): FastifyReply {
  const [only] = chunks
  if (chunks.length === 1 || method === 'HEAD') return reply.send(chunks.length === 1 ? only : join(chunks))
  const { raw } = reply.header('content-length', lengthOf(chunks)).hijack()
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  raw.cork()
  for (const chunk of chunks) raw.write(chunk)
  raw.end()
  raw.uncork()
  return reply
}

function sendRange(
  reply: FastifyReply,
  chunks: readonly Buffer[],
  size: number,
  { first, last }: ByteRange,
): FastifyReply {
  reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
  return reply.send(join(chunks).subarray(first, last + 1))
}

export function beyond(reply: FastifyReply, size: number): ServiceError {
  reply.header('content-range', `bytes */${size}`)
  return new ServiceError(
    'range_not_satisfiable',
    `Range: the answer has ${size} bytes, and none of them is in the range; ask for bytes=0-${Math.max(0, size - 1)}, or without Range.`,
  )
}

function describe(
  reply: FastifyReply,
  { contentType, fileName }: Pick<RunningQuery, 'contentType' | 'fileName'>,
): void {
  // Not by `reply.type`, which would parse the media type each time.
  reply.header('content-type', contentType)
  if (fileName !== null) reply.header('content-disposition', `attachment; filename="${fileName}"`)
}

/** A text as the value of a header: characters that are no printable ASCII are escaped as in JSON. */
function asciiText(text: string): string {
  return text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Whether `If-None-Match` names an entity tag, so that the client has the answer already. `tag` is in quotes. The comparison
 * is the weak one, as RFC 9110 §13.1.2 requires.
 */
export function isMatched(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}
