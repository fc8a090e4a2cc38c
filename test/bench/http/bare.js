// The least that an Express application can do with a JSON body: what our server is measured against.
import express from "express";

const app = express();
app.use(express.json());
app.post("/execute", (request, response) => {
  response.json({ status: "completed", state: request.body.initial_state });
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
