import { readFileSync } from 'node:fs'

/** Where the library looks for plugins. It is no folder of the machine. */
export const PLUGIN_FOLDER = '/plugins'

/** The files of the package h5wasm-plugins by the numbers of their filters. No other plugin is ever loaded. */
const PLUGINS: ReadonlyMap<number, string> = new Map([
  [307, 'libH5Zbz2.so'],
  [32008, 'libH5Zbshuf.so'],
  [32013, 'libH5Zzfp.so'],
  [32026, 'libH5Zblosc2.so'],
])

/** The names of these files, and the numbers of their filters. The library has all others built in. */
export const PLUGIN_FILES: readonly string[] = [...PLUGINS.values()]
export const PLUGIN_FILTERS: readonly number[] = [...PLUGINS.keys()]

/** The WebAssembly of a plugin. Its package is looked up as h5wasm is, wherever the service is installed. */
export function readPlugin(name: string): Uint8Array {
  return readFileSync(new URL(`plugins/${name}`, import.meta.resolve('h5wasm-plugins')))
}
