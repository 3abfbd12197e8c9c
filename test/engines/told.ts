/** The channel on which fake engines tell their tasks. */
export const ENGINE_TASKS = 'engine-tasks'
