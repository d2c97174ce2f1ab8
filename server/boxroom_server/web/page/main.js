// Says whether this browser reaches the server that the page came from.

const state = document.getElementById("state");

const url = new URL(location.href);
url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
url.search = "";
url.hash = "";

const socket = new WebSocket(url);
state.textContent = "Connecting to the server…";
socket.addEventListener("open", () => {
  state.textContent = "This browser reaches the server.";
  socket.close();
});
socket.addEventListener("error", () => {
  state.textContent = "This browser doesn’t reach the server.";
});
