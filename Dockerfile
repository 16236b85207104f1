FROM python:3.11.15-slim-trixie AS build
# --build-arg LOCK=cluster: with Dask, for archives beyond one machine.
ARG LOCK=runtime
WORKDIR /source
COPY . .
ENV PIP_NO_CACHE_DIR=1
RUN sh tools/install-wheel.sh /opt/capomastro

FROM python:3.11.15-slim-trixie
COPY --from=build /opt/capomastro /opt/capomastro
ENV PATH=/opt/capomastro/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PORT=8000
WORKDIR /tmp
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=4)"]
# Everything else is set by CAPOMASTRO_… environment variables: `capomastro serve --help` prints them.
CMD ["capomastro", "serve", "--host", "0.0.0.0"]
