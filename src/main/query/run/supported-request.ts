import type { Statement } from '../../sql/gate/gate.ts'
import type { SupportedJson } from '../request/supported.ts'

/** A request that this version can bind and run, whatever its output. */
export type SupportedRequest = Statement | SupportedJson
