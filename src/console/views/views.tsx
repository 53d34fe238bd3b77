import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Loading } from "../parts/pane.tsx";
import { placeOf } from "../routes.ts";
import { Balances } from "./balances.tsx";
import { Home } from "./home.tsx";
import { Inbox } from "./inbox.tsx";
import { ListView } from "./list-view.tsx";
import { NotFound } from "./not-found.tsx";

/** Details come in a script of their own, loaded as soon as the first view stands. */
const details = async () => (await import("./details.tsx")).DETAILS;
const Approvals = lazy(async () => ({ default: (await details()).Approvals }));
const LedgerAccount = lazy(async () => ({ default: (await details()).LedgerAccount }));
const Payment = lazy(async () => ({ default: (await details()).Payment }));
const RecordView = lazy(async () => ({ default: (await details()).RecordView }));
const RecordsView = lazy(async () => ({ default: (await details()).RecordsView }));
const RequestView = lazy(async () => ({ default: (await details()).RequestView }));
const Why = lazy(async () => ({ default: (await details()).Why }));
const WebhookView = lazy(async () => ({ default: (await details()).WebhookView }));

/** Loads the details before somebody asks for one. */
export const loadDetails = () => {
  const load = () => void details();
  if ("requestIdleCallback" in window) requestIdleCallback(load);
  else setTimeout(load, 1000);
};

// What is rarely looked at comes when it is asked for.
const Later = lazy(() => import("./later.tsx"));

/** Views of the script that comes later. */
const LATER = [
  ...["worlds", "snapshots", "diff", "faults", "coverage", "outcomes"],
  ...["lifecycles", "reference", "guides", "spec", "decisions"],
];

const id = (params: { id?: string }) => decodeURIComponent(params.id ?? "");

const AccountRoutes = ["/accounts", "/wallets", "/cards", "/agents", "/customers"] as const;

/** The view of the place in the address. */
export const Views = () => (
  <Suspense fallback={<Loading />}>
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/payments">
        <ListView name="payments" title="Payments" hrefOf={(row) => placeOf(row.id)} />
      </Route>
      <Route path="/payments/:id">{(params) => <Payment key={id(params)} id={id(params)} />}</Route>
      <Route path="/why/:id">{(params) => <Why key={id(params)} id={id(params)} />}</Route>
      <Route path="/approvals">
        <Approvals id={undefined} />
      </Route>
      <Route path="/approvals/:id">{(params) => <Approvals id={id(params)} />}</Route>
      <Route path="/webhooks">
        <ListView name="deliveries" title="Webhooks" hrefOf={(row) => placeOf(row.id)} />
      </Route>
      <Route path="/webhooks/:id">
        {(params) => <WebhookView key={id(params)} id={id(params)} />}
      </Route>
      <Route path="/requests">
        <ListView name="requests" title="Requests" hrefOf={(row) => placeOf(row.id)} />
      </Route>
      <Route path="/requests/:id">
        {(params) => <RequestView key={id(params)} id={id(params)} />}
      </Route>
      <Route path="/inbox" component={Inbox} />
      <Route path="/timers">
        <ListView name="timers" title="Timers" hrefOf={(row) => placeOf(row.subject)} />
      </Route>
      <Route path="/ledger">
        <ListView name="postings" title="Ledger" hrefOf={(row) => placeOf(row.account)}>
          <Balances />
        </ListView>
      </Route>
      {AccountRoutes.map((path) => (
        <Route key={path} path={path}>
          <RecordsView of={path} />
        </Route>
      ))}
      {[...AccountRoutes, "/records"].map((path) => (
        <Route key={path} path={`${path}/:id`}>
          {(params: { id?: string }) => <RecordView key={id(params)} id={id(params)} />}
        </Route>
      ))}
      <Route path="/ledger/:id">
        {(params) => <LedgerAccount key={id(params)} id={id(params)} />}
      </Route>
      {LATER.map((name) => (
        <Route key={name} path={`/${name}/*?`}>
          {(params: { "*"?: string }) => <Later name={name} rest={params["*"] ?? ""} />}
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  </Suspense>
);
