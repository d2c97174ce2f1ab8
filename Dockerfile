FROM python:3.13-slim AS build
# For the kernel, see docs/adr/0032-kernel-at-first-need.md; none of it is in the image that runs.
RUN apt-get update && apt-get install --yes --no-install-recommends g++
WORKDIR /src
# Each package in the version, and with the content, that scripts/lock_requirements.py has written down.
COPY deploy/requirements.txt deploy/requirements-build.txt deploy/
RUN python -m venv /opt/boxroom \
    && /opt/boxroom/bin/pip install --no-cache-dir --only-binary :all: --require-hashes -r deploy/requirements.txt \
    && pip install --no-cache-dir --only-binary :all: --require-hashes -r deploy/requirements-build.txt
COPY pyproject.toml hatch_build.py hatch_readme.py README.md LICENSE ./
COPY scripts/index_readme.py scripts/minify_page.py scripts/
COPY engine engine
COPY common common
COPY server server
COPY client client
COPY lab lab
COPY public public
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/boxroom/bin/pip install --no-cache-dir --no-deps /wheels/*.whl \
    && /opt/boxroom/bin/pip check \
    && /opt/boxroom/bin/python -c "from boxroom_common.kernel.places import find; \
        from boxroom_engine.kernel.library import Library; Library(str(find()))"

FROM python:3.13-slim
COPY --from=build /opt/boxroom /opt/boxroom
RUN useradd --system --uid 10001 --no-create-home boxroom \
    && install --directory --owner=boxroom --mode=0700 /data
ENV PATH=/opt/boxroom/bin:$PATH \
    BOXROOM_DATA=/data \
    PYTHONUNBUFFERED=1
USER boxroom
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["python", "-m", "boxroom_server.ops.health_check"]
ENTRYPOINT ["boxroom"]
CMD ["serve", "--host", "0.0.0.0"]
