/**
 * The flags with which `npm start` and the image start the service. Whatever fills the compile cache, or is compared with the service, has them
 * too: Node keeps code by V8's flags (`src/plan/collect-garbage.ts`). A test compares package.json and the Dockerfile with them.
 */
export const START_FLAGS: readonly string[] = Object.freeze(['--max-semi-space-size=8', '--expose-gc'])
