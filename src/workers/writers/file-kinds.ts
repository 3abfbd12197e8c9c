import type { EncodedPlan, WrittenPlan } from '../../plan/output/file-plan.ts'
import type { FileEncoder } from './file-encoder.ts'
import type { OpenWriter } from './file-writer.ts'
import { odvStations } from './odv/odv-stations.ts'
import { odvText } from './odv/odv-text.ts'
import { parquetEncoder } from './parquet/parquet-encoder.ts'

/** What makes the files of each kind. A kind that is absent is not made here. */
export interface FileKinds {
  readonly encoders: { readonly [K in EncodedPlan['kind']]?: FileEncoder<Extract<EncodedPlan, { kind: K }>> }
  readonly writers: { readonly [K in WrittenPlan['kind']]?: OpenWriter<Extract<WrittenPlan, { kind: K }>> }
}

/** The kinds of files that workers make, each by what is in the folder of its name. Writers are loaded when a file of theirs is first opened. */
export const FILE_KINDS: FileKinds = Object.freeze({
  encoders: { odv_stations: odvStations, odv_text: odvText, parquet: parquetEncoder },
  writers: {
    netcdf: loadedWriter(async () => (await import('./netcdf/open-netcdf.ts')).openNetcdf),
    nd_netcdf: loadedWriter(async () => (await import('./grid/open-grid.ts')).openGrid),
  },
})

function loadedWriter<P extends WrittenPlan>(writer: () => Promise<OpenWriter<P>>): OpenWriter<P> {
  return async (...opened) => {
    const open = await writer()
    return open(...opened)
  }
}
