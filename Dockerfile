# Lyceum's container image: docs/operations.md, "Run in a container".
# `npm run check:image` runs these steps without a container engine.

FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts
RUN node bin/build.mjs
# Remove build dependencies, and what the server never loads: the second pdf.js, its drawing library,
# source maps, type declarations and binaries of other systems.
RUN npm ci --ignore-scripts --omit=dev --workspace=server --workspace=contract --include-workspace-root=false
RUN rm -rf node_modules/@napi-rs node_modules/pdfjs-dist/build node_modules/pdfjs-dist/web node_modules/pdfjs-dist/types node_modules/*/prebuilds && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete
RUN find server contract -name '*.test.ts' -delete && rm -rf server/src/testing server/src/providers/text-extraction/fixtures

# Node and the libraries it links to, without npm and the headers: 90 MB less than node:24-slim.
FROM debian:trixie-slim
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/contract ./contract
COPY --from=build /app/server ./server
COPY --from=build /app/web/dist ./web/dist
# The software bill of materials, and the licenses of all packages.
COPY --from=build /app/dist ./dist
# For `docker exec <container> lyceum <command>`.
RUN ln -s /app/bin/lyceum.mjs /usr/local/bin/lyceum
# A volume inherits the owner and the mode of the folder it is mounted on.
RUN install -d -m 0700 -o 10001 -g 10001 /data
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=3000 HOME=/tmp NODE_COMPILE_CACHE=/tmp/lyceum-code
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "server/src/main.ts"]
