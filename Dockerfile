# Dependencies come with the Node that runs them (package "node"); the image's own Node only runs npm.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
# 149 MB, of which two files run: the others are for browsers.
RUN cd node_modules/@duckdb/duckdb-wasm/dist && find . -type f ! -name duckdb-eh.wasm ! -name duckdb-node-blocking.cjs -delete

FROM node:24-slim
ENV NODE_ENV=production SERVICE_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 5001
# Not through npm, so that SIGTERM reaches the service.
CMD ["node_modules/.bin/node", "src/main/start.ts"]
