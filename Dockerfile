# The command line for CI: `docker build --tag agent-stack .`, then `docker run --rm --volume "$PWD:/project" agent-stack check`.
# Not tried where it was written, for want of Docker.
FROM node:22-slim
ARG VERSION=latest
# git is for check --base and --staged.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/* \
  && npm install --global "agent-stack@${VERSION}" \
  && npm cache clean --force \
  && git config --system --add safe.directory /project
USER node
WORKDIR /project
ENTRYPOINT ["agent-stack"]
CMD ["check"]
