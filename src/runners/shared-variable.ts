/** Variable by which jest's workers learn the address of the simulator that they share. */
export const SHARED_VARIABLE = "SERVICE_SIM_SHARED";
