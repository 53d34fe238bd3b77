# The image of Node.js 22.23.3 by its digest: the same one each time, whatever the tag says later.
# What builds stays behind: the image holds the bundled program, which needs no package.
FROM node:22-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392 AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY test/foreign/package.json test/foreign/
RUN npm ci --ignore-scripts
COPY tsconfig.json rolldown.config.js LICENSE ./
COPY bin bin
COPY src src
RUN npm run build

FROM node:22-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="service-sim" \
      org.opencontainers.image.description="A whole payments platform on your own machine: quotes, transfers, signed webhooks, and time you can move" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.url="https://github.com/your-organization/service-sim#readme" \
      org.opencontainers.image.source="https://github.com/your-organization/service-sim" \
      org.opencontainers.image.documentation="https://github.com/your-organization/service-sim/tree/main/src/docs" \
      org.opencontainers.image.base.name="docker.io/library/node:22-slim"
ENV NODE_ENV=production \
    SERVICE_SIM_HOST=0.0.0.0 \
    SERVICE_SIM_STORAGE=file:/data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /build/dist dist
COPY bin/package.json bin/service-sim.js bin/
COPY fixtures fixtures
COPY src/docs src/docs
RUN ln -s /app/bin/service-sim.js /usr/local/bin/service-sim && \
    mkdir /data && \
    chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 4747
HEALTHCHECK --interval=5s --timeout=3s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ host: '127.0.0.1', port: process.env.SERVICE_SIM_PORT ?? 4747, path: '/_sim/ready', agent: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["service-sim"]
CMD ["start"]
