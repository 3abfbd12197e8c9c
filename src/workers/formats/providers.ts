import type { Format } from '../../plan/plan.ts'
import { parquet } from './parquet/parquet.ts'
import type { Provider } from './provider.ts'

/** Every format that this service reads. */
export const PROVIDERS: Readonly<Record<Format, Provider>> = Object.freeze({ parquet })
