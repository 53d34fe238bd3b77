import { expect, test } from "vitest";
import {
  CARD_TRANSACTION_STATUSES,
  type CardTransactionStatus,
} from "../../../src/contract/cards/card-transactions.ts";
import {
  type CardTransactionTrigger,
  cardTransactionLifecycle,
} from "../../../src/domain/lifecycles/card-transaction.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

const ENDED = {
  clearPart: "refused",
  clearAll: "refused",
  except: "refused",
  returnPart: "refused",
  returnAll: "refused",
} as const;

/** Only a late clearing and returns leave SETTLED (spec/card-transactions.md#statuses). */
const TRANSACTION_MOVES: Matrix<CardTransactionStatus, CardTransactionTrigger> = {
  AUTHORIZED: {
    clearPart: ["PARTIALLY_SETTLED"],
    clearAll: ["SETTLED"],
    except: ["EXCEPTION"],
    returnPart: "refused",
    returnAll: "refused",
  },
  PARTIALLY_SETTLED: {
    clearPart: ["PARTIALLY_SETTLED"],
    clearAll: ["SETTLED"],
    except: ["EXCEPTION"],
    returnPart: ["PARTIALLY_SETTLED"],
    returnAll: ["REFUNDED"],
  },
  SETTLED: {
    clearPart: "refused",
    clearAll: ["SETTLED"],
    except: ["EXCEPTION"],
    returnPart: ["SETTLED"],
    returnAll: ["REFUNDED"],
  },
  REFUNDED: ENDED,
  EXCEPTION: ENDED,
  DECLINED: ENDED,
};

testMatrix(cardTransactionLifecycle, TRANSACTION_MOVES);

test("a card transaction starts AUTHORIZED and has no event of its own", () => {
  const { starts, startEmits, ends } = cardTransactionLifecycle;
  expect([starts, startEmits, [...ends].sort()]).toEqual([
    "AUTHORIZED",
    undefined,
    ["EXCEPTION", "REFUNDED"],
  ]);
  expect(Object.keys(TRANSACTION_MOVES)).toEqual([...CARD_TRANSACTION_STATUSES]);
});
