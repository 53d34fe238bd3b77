import { Component, type ReactNode } from "react";
import { safeText } from "../../text/safe-text.ts";

interface Props {
  children: ReactNode;
}

/** Tells that a view failed, in place of an empty page; every other view still opens. */
export class ViewBoundary extends Component<Props, { problem?: string }> {
  override state: { problem?: string } = {};

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <>
        <h1>This view failed</h1>
        <p className="say">
          It is a bug of the console; the simulator is not affected. Reload the page, or open
          another view.
        </p>
        <pre>{safeText(problem)}</pre>
        <button type="button" className="btn" onClick={() => location.reload()}>
          Reload
        </button>
      </>
    );
  }
}
