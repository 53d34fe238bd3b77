import "./fonts.css";
import "./theme.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const place = document.getElementById("console");
if (!place) throw new Error("Expected a place for the console in its page");
createRoot(place).render(<App />);
