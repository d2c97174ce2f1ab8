"""One WebSocket to a server: the way there, by proxies and TLS, and the messages over it.

The greeting and everything that outlives a WebSocket stand in `link`. Only that imports this
package, agents, which have a protocol of their own, and the setting that names an authority.
"""
